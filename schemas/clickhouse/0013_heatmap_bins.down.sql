DROP VIEW heatmap_bins;
DROP TABLE heatmap_bins_versions;
