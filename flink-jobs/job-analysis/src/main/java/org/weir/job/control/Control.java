package org.weir.job.control;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.ruleengine.Rule;
import org.weir.analysis.ruleengine.RuleException;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.slowness.References;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.control.Documents;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.job.run.RunSummary;
import org.weir.site.Site;
import org.weir.wire.Reference;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/** The active sites, rules and reference rates, as one operator knows them. */
public final class Control {

  /** Flink wants a descriptor for a broadcast; nothing is stored under it (see Documents). */
  public static final MapStateDescriptor<String, String> DESCRIPTOR =
      new MapStateDescriptor<>("control", Types.STRING, Types.STRING);

  /** Id of the rule set that is judged by. */
  public static final String RULE_SET = "default";

  private static final int MOST_REVISION = 0xFFFF;
  private static final Logger LOG = LoggerFactory.getLogger(Control.class);

  private final Documents<Site> sites = new Documents<>(Topics.SITE, Site::parse);
  private final Documents<RuleSet> rules = new Documents<>(Topics.RULES, Control::parseRules);
  private final Map<String, References> references = new HashMap<>();
  private final WireCodec<Reference> referenceCodec = WireCodec.of(Reference.class);

  private final boolean judges;

  private Control(ControlSnapshot snapshot, boolean judges) {
    this.judges = judges;
    snapshot.read().forEach(this::take);
  }

  /** All of them. */
  public static Control of(ControlSnapshot snapshot) {
    return new Control(snapshot, true);
  }

  /** For operators that do not judge runs: skips the rules, which are slow to compile. */
  public static Control ofSites(ControlSnapshot snapshot) {
    return new Control(snapshot, false);
  }

  /** Takes a publication. One that cannot be used is reported in the log; what was active stays. */
  public void take(KafkaMessage message) {
    try {
      sites.take(message);
      if (judges) {
        rules.take(message);
      }
      if (message.topic.equals(Topics.REFERENCE) && message.value != null) {
        Reference reference = referenceCodec.decode(message.value);
        references.computeIfAbsent(reference.getCluster(), c -> new References()).put(reference);
      }
    } catch (WireException e) {
      LOG.error("Publication at {} is passed over: {}", message.place(), e.getMessage());
    }
  }

  /** The cluster's site; without one, a site that lists nothing. */
  public Site site(String cluster) {
    Site site = sites.get(cluster);
    return site != null ? site : NO_SITE;
  }

  public boolean knowsSite(String cluster) {
    return sites.get(cluster) != null;
  }

  /** Returns the revision of the cluster's site; 0 without one. */
  public int siteRevision(String cluster) {
    return sites.revision(cluster);
  }

  public RuleSet rules() {
    RuleSet set = rules.get(RULE_SET);
    return set != null ? set : NO_RULES;
  }

  public String[] ruleIds() {
    return rules().rules().stream().map(Rule::id).toArray(String[]::new);
  }

  public References references(String cluster) {
    return references.getOrDefault(cluster, NO_REFERENCES);
  }

  /** Returns the revision of code, rules and site together: each publication raises it. */
  public int revision(String cluster) {
    return Math.min(
        MOST_REVISION, RunJudgement.REVISION + rules.revision(RULE_SET) + siteRevision(cluster));
  }

  /** What a run is judged by, and the site by which its files were placed on file systems. */
  public int revision(RunSummary run) {
    return Math.min(MOST_REVISION, revision(run.cluster) + run.siteRevision);
  }

  private static final Site NO_SITE = Site.parse("{}");
  private static final RuleSet NO_RULES = RuleSet.empty();
  private static final References NO_REFERENCES = new References();

  private static RuleSet parseRules(String content) {
    try {
      return RuleSet.parse(content);
    } catch (RuleException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
