/*
title: Directories of a user
question: In which directories do the programs of a user read and write most bytes, of how many files?
note: Reads totals of hours; of the last day, and of hours that something has just landed of, the records of the user's logs.
  They are kept for a year.
parameters:
  user: {type: String, meaning: whose directories}
  depth: {type: UInt8, default: 4, meaning: how many levels of the path count}
  limit: {type: UInt32, default: 50, meaning: how many directories}
example: |
  cluster,directory,files,runs,gib_read,gib_written
  c,/s/ann,2,2,30,5
  c,/s/ann/sub,1,1,0,1
*/
WITH substringIndex(name, '/', {depth:UInt8} + 1) AS upper
SELECT
    cluster,
    -- a path of no more levels ends with the file's own name
    if(upper = name, substringIndex(name, '/', countSubstrings(name, '/')), upper) AS directory,
    uniqExact(file) AS files,
    uniqExactArray(logs) AS runs,
    round(sum(bytes_read) / pow(1024, 3), 3) AS gib_read,
    round(sum(bytes_written) / pow(1024, 3), 3) AS gib_written
FROM user_file_totals
(
    since = {since:DateTime64(6, 'UTC')},
    until = {until:DateTime64(6, 'UTC')},
    user = {user:String}
)
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, directory
ORDER BY sum(bytes_read) + sum(bytes_written) DESC, cluster, directory
LIMIT {limit:UInt32}
