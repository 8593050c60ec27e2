"""The analysis of logs that lie here, by the code of the stream (Java)."""
