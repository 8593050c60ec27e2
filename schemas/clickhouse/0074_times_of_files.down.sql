DROP TABLE IF EXISTS posix_file_times;

DROP TABLE IF EXISTS stdio_file_times;

DROP TABLE IF EXISTS times_of_files SETTINGS max_table_size_to_drop = 0;
