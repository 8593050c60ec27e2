{% set chosen = filter_values('job') or filter_values('exe') %}
-- What runs moved over time. Where intervals are a day or longer, totals of days are read, unless a job or an executable is
-- chosen, which these totals do not name.
WITH
    (SELECT {{ finest(60, 'start_time') }} FROM runs_versions) AS width,
    moved AS
    (
        SELECT
            start_time AS time,
            cluster,
            ifNull(user, '(unknown)') AS user,
            ifNull(account, '(unknown)') AS account,
            toString(job_id) AS job,
            exe,
            ifNull(filesystem, '(none)') AS filesystem,
            program,
            ifNull(bytes_read, 0) + ifNull(bytes_written, 0) AS bytes
        FROM runs
        WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
{% if not chosen %}
            AND width < 86400
        UNION ALL
        SELECT time, cluster, user, account, '' AS job, '' AS exe, filesystem, program, bytes_read + bytes_written AS bytes
        FROM run_totals(since = '{{ since }}', until = '{{ until }}')
        WHERE width >= 86400 AND {{ of_center }}
{% endif %}
    )
SELECT *, toStartOfInterval(time, toIntervalSecond(width)) AS bucket
FROM moved
