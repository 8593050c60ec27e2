SELECT max(pipeline_restarts.time) AS time, part, count() AS restarts, argMax(pipeline_restarts.cause, pipeline_restarts.time) AS cause
FROM (SELECT * FROM pipeline_restarts FINAL) AS pipeline_restarts
WHERE pipeline_restarts.time >= '{{ since }}' AND pipeline_restarts.time < '{{ until }}'
GROUP BY part, replaceRegexpAll(pipeline_restarts.cause, '[0-9]+', '0')
