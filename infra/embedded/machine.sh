#!/bin/sh
# Tells what this machine lacks before anything is downloaded, as far as a shell can see it: machine.sh PACKAGES
# Once the Python packages are there, `weir-stack` looks itself, at ports too, each time before it starts anything.
set -eu
packages=$1
[ ! -x "$packages/venv/bin/weir-stack" ] || exit 0

lacks=""
lack() {
    echo "✗ $1" >&2
    lacks=1
}

javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
version=$("$javac" -version 2>&1 | sed -n 's/^javac \(1\.\)\{0,1\}\([0-9]*\).*/\2/p')
java_way="Install JDK 17 (Debian: apt-get install openjdk-17-jdk-headless) or point JAVA_HOME to one."
case $version in
17 | 18 | 19 | 20 | 21) ;;
"") lack "No JDK found: there is no $javac. $java_way" ;;
*) lack "The JDK of $javac is version $version; Weir needs 17 to 21. $java_way" ;;
esac
command -v mvn >/dev/null || lack "No mvn on the PATH: install Maven 3.8 or later (Debian: apt-get install maven)."
command -v openssl >/dev/null || lack "No openssl on the PATH, which makes the keys of the parts: install it (Debian: apt-get install openssl)."

memory_mb=$(awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo)
[ "$memory_mb" -ge 4500 ] ||
    lack "Only $memory_mb MB of memory are available, the stack needs 4500 MB: stop other programs or use a larger machine."

folder=$packages
while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
disk_mb=$(df -m --output=avail "$folder" | tail -n 1 | tr -d ' ')
[ "$disk_mb" -ge 4000 ] ||
    lack "Only $disk_mb MB are free where $folder is, 4000 MB are needed: free some space, or set WEIR_HOME and WEIR_PACKAGES to folders on a larger disk."

[ -z "$lacks" ]
