{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
SELECT time, source, reason
FROM dead_letters_open
WHERE time >= '{{ since }}' AND time < '{{ until }}'
