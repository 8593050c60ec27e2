SELECT time, cluster, source, reason, messages
FROM dead_letters_open
WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }}
