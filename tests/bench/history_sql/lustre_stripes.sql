-- Where the files of posix_records.sql lie that are on scratch: inputs on eight targets, all others on one.
INSERT INTO lustre_stripes_versions
    (cluster, log_id, job_id, start_time, record_id, rank, name, module_version, COMPONENT, STRIPE, OST_ID,
    LUSTRE_COMP_STRIPE_SIZE, LUSTRE_COMP_STRIPE_COUNT, version, is_deleted, origin, landed_at)
SELECT
    'history', id, job_number, began, cityHash64(path), if(place % 10 < 2, -1, place), path, 2, 0, stripe,
    (cityHash64(path) + stripe) % $targets, 1048576, stripes, 1, 0, 'live', began
FROM
(
    SELECT
        *,
        place,
        if(place % 10 = 0, 8, 1) AS stripes,
        if(
            place % 10 = 0,
            concat('/scratch/', project, '/input/', binary, '/field.', toString(cityHash64(h, place) % 200), '.h5'),
            concat('/scratch/', owner, '/', binary, '/run_', substring(id, 1, 12), '/rank.', toString(place), '.out')
        ) AS path
    FROM ($numbered)
    ARRAY JOIN arrayFilter(each -> each % 10 != 1, range($files)) AS place
    WHERE home = 'scratch'
)
ARRAY JOIN range(stripes) AS stripe
