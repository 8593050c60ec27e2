-- Runs of a program before and after the first message about it. In shadow mode nobody got that message: such programs
-- show what happens without one. Runs of which the loss is not known count nowhere.
SELECT
    first_at AS time,
    cluster,
    user,
    mode,
    program,
    titles,
    fixed_at,
    runs_before,
    lost_before,
    lost_before / nullIf(runs_before, 0) AS per_run_before,
    lost_before / nullIf(node_hours_before, 0) AS share_before,
    runs_after,
    lost_after,
    lost_after / nullIf(runs_after, 0) AS per_run_after,
    lost_after / nullIf(node_hours_after, 0) AS share_after,
    runs_fixed,
    lost_fixed / nullIf(runs_fixed, 0) AS per_run_fixed,
    runs_fixed * (per_run_before - per_run_fixed) AS gained_node_hours
FROM message_effects
WHERE first_at >= '{{ since }}' AND first_at < '{{ until }}' AND {{ of_center }}
