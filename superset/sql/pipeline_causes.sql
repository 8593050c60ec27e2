{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
SELECT max(pipeline_restarts.time) AS time, part, count() AS restarts, argMax(pipeline_restarts.cause, pipeline_restarts.time) AS cause
FROM (SELECT * FROM pipeline_restarts FINAL) AS pipeline_restarts
WHERE pipeline_restarts.time >= '{{ since }}' AND pipeline_restarts.time < '{{ until }}'
GROUP BY part, replaceRegexpAll(pipeline_restarts.cause, '[0-9]+', '0')
