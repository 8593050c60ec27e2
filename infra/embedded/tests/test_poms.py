from weir_embedded.poms import read_by_build

PARENT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modules><module>one</module></modules>
  <properties><shared>${project.basedir}/../../shared</shared><unused>${basedir}/../unused</unused></properties>
</project>"""
MODULE = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <properties><sql>${shared}/sql</sql></properties>
  <build>
    <resources><resource><directory> ${sql} </directory></resource></resources>
    <plugins><plugin><configuration><target>
      <fileset dir="${basedir}/../../sets"/><move file="${project.build.directory}/../../../made"/>
      <file>${shared}/absent</file><directory>src/main/resources</directory><echo message="${unknown}/x"/>
    </target></configuration></plugin></plugins>
  </build>
</project>"""


def test_what_a_module_names_outside_the_project_is_found_through_inherited_properties(tmp_path):
    project = tmp_path / "jobs"
    (project / "one").mkdir(parents=True)
    (project / "pom.xml").write_text(PARENT)
    (project / "one/pom.xml").write_text(MODULE)
    for folder in ("shared/sql", "sets", "unused", "made"):
        (tmp_path / folder).mkdir(parents=True)
    assert read_by_build(project) == [project, tmp_path / "sets", tmp_path / "shared/sql"]
