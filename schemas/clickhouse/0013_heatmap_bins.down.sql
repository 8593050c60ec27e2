DROP VIEW IF EXISTS heatmap_bins;
DROP TABLE IF EXISTS heatmap_bins_versions;
