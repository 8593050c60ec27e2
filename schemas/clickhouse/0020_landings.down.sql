DROP TABLE landings;
