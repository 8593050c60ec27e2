DROP VIEW IF EXISTS dead_letters_open;
