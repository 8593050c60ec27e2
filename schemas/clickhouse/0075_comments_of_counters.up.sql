-- What each of Darshan's counters counts, what the other columns mean of which nothing said it yet, and what a row of each view is:
-- weir sql schema and the reference show it. The meanings of counters are those of Darshan's documentation, headers and code.
ALTER TABLE daos_records_versions
    COMMENT COLUMN DAOS_OBJ_OPENS 'opens of the object',
    COMMENT COLUMN DAOS_OBJ_FETCHES 'reads of the object (fetch)',
    COMMENT COLUMN DAOS_OBJ_UPDATES 'writes of the object (update)',
    COMMENT COLUMN DAOS_OBJ_PUNCHES 'deletions of the whole object (punch)',
    COMMENT COLUMN DAOS_OBJ_DKEY_PUNCHES 'deletions of distribution keys of the object (punch), calls',
    COMMENT COLUMN DAOS_OBJ_AKEY_PUNCHES 'deletions of attribute keys of the object (punch), calls',
    COMMENT COLUMN DAOS_OBJ_DKEY_LISTS 'lists of the object''s distribution keys, calls',
    COMMENT COLUMN DAOS_OBJ_AKEY_LISTS 'lists of the object''s attribute keys, calls',
    COMMENT COLUMN DAOS_OBJ_RECX_LISTS 'lists of the object''s record extents, calls',
    COMMENT COLUMN DAOS_ARRAY_OPENS 'opens of the object as an array',
    COMMENT COLUMN DAOS_ARRAY_READS 'reads of the array, calls',
    COMMENT COLUMN DAOS_ARRAY_WRITES 'writes of the array, calls',
    COMMENT COLUMN DAOS_ARRAY_GET_SIZES 'calls that ask for the array''s size',
    COMMENT COLUMN DAOS_ARRAY_SET_SIZES 'calls that set the array''s size',
    COMMENT COLUMN DAOS_ARRAY_STATS 'calls that ask for the array''s attributes (stat)',
    COMMENT COLUMN DAOS_ARRAY_PUNCHES 'calls that punch a range of the array',
    COMMENT COLUMN DAOS_ARRAY_DESTROYS 'calls that destroy the array',
    COMMENT COLUMN DAOS_KV_OPENS 'opens of the object as a store of keys and values',
    COMMENT COLUMN DAOS_KV_GETS 'reads of a key''s value, calls',
    COMMENT COLUMN DAOS_KV_PUTS 'writes of a key''s value, calls',
    COMMENT COLUMN DAOS_KV_REMOVES 'removals of a key, calls',
    COMMENT COLUMN DAOS_KV_LISTS 'lists of the keys, calls',
    COMMENT COLUMN DAOS_KV_DESTROYS 'calls that destroy the store of keys and values',
    COMMENT COLUMN DAOS_NB_OPS 'nonblocking operations: reads, writes and those of metadata; they count in their own counters too',
    COMMENT COLUMN DAOS_BYTES_READ 'bytes read from the object through DAOS',
    COMMENT COLUMN DAOS_BYTES_WRITTEN 'bytes written to the object through DAOS',
    COMMENT COLUMN DAOS_RW_SWITCHES 'changes from reading to writing or back, by the same process',
    COMMENT COLUMN DAOS_MAX_READ_TIME_SIZE 'bytes of the slowest read',
    COMMENT COLUMN DAOS_MAX_WRITE_TIME_SIZE 'bytes of the slowest write',
    COMMENT COLUMN DAOS_SIZE_READ_0_100 'reads of up to 100 bytes',
    COMMENT COLUMN DAOS_SIZE_READ_100_1K 'reads of more than 100 bytes, up to 1 KiB',
    COMMENT COLUMN DAOS_SIZE_READ_1K_10K 'reads of more than 1 KiB, up to 10 KiB',
    COMMENT COLUMN DAOS_SIZE_READ_10K_100K 'reads of more than 10 KiB, up to 100 KiB',
    COMMENT COLUMN DAOS_SIZE_READ_100K_1M 'reads of more than 100 KiB, up to 1 MiB',
    COMMENT COLUMN DAOS_SIZE_READ_1M_4M 'reads of more than 1 MiB, up to 4 MiB',
    COMMENT COLUMN DAOS_SIZE_READ_4M_10M 'reads of more than 4 MiB, up to 10 MiB',
    COMMENT COLUMN DAOS_SIZE_READ_10M_100M 'reads of more than 10 MiB, up to 100 MiB',
    COMMENT COLUMN DAOS_SIZE_READ_100M_1G 'reads of more than 100 MiB, up to 1 GiB',
    COMMENT COLUMN DAOS_SIZE_READ_1G_PLUS 'reads of more than 1 GiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_0_100 'writes of up to 100 bytes',
    COMMENT COLUMN DAOS_SIZE_WRITE_100_1K 'writes of more than 100 bytes, up to 1 KiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_1K_10K 'writes of more than 1 KiB, up to 10 KiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_10K_100K 'writes of more than 10 KiB, up to 100 KiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_100K_1M 'writes of more than 100 KiB, up to 1 MiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_1M_4M 'writes of more than 1 MiB, up to 4 MiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_4M_10M 'writes of more than 4 MiB, up to 10 MiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_10M_100M 'writes of more than 10 MiB, up to 100 MiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_100M_1G 'writes of more than 100 MiB, up to 1 GiB',
    COMMENT COLUMN DAOS_SIZE_WRITE_1G_PLUS 'writes of more than 1 GiB',
    COMMENT COLUMN DAOS_ACCESS1_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DAOS_ACCESS2_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DAOS_ACCESS3_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DAOS_ACCESS4_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DAOS_ACCESS1_COUNT 'reads and writes of DAOS_ACCESS1_ACCESS bytes',
    COMMENT COLUMN DAOS_ACCESS2_COUNT 'reads and writes of DAOS_ACCESS2_ACCESS bytes',
    COMMENT COLUMN DAOS_ACCESS3_COUNT 'reads and writes of DAOS_ACCESS3_ACCESS bytes',
    COMMENT COLUMN DAOS_ACCESS4_COUNT 'reads and writes of DAOS_ACCESS4_ACCESS bytes',
    COMMENT COLUMN DAOS_OBJ_OTYPE 'DAOS'' number of the object''s type',
    COMMENT COLUMN DAOS_ARRAY_CELL_SIZE 'bytes of a cell of the array',
    COMMENT COLUMN DAOS_ARRAY_CHUNK_SIZE 'cells of a chunk of the array',
    COMMENT COLUMN DAOS_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN DAOS_FASTEST_RANK_BYTES 'bytes that DAOS_FASTEST_RANK read and wrote',
    COMMENT COLUMN DAOS_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN DAOS_SLOWEST_RANK_BYTES 'bytes that DAOS_SLOWEST_RANK read and wrote',
    COMMENT COLUMN DAOS_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DAOS_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN DAOS_F_WRITE_TIME 'seconds in writes, summed over the ranks of the record',
    COMMENT COLUMN DAOS_F_META_TIME 'seconds in calls of metadata (open, punch, list, get and set size, stat, destroy, remove), summed over the ranks of the record',
    COMMENT COLUMN DAOS_F_MAX_READ_TIME 'seconds of the slowest read',
    COMMENT COLUMN DAOS_F_MAX_WRITE_TIME 'seconds of the slowest write',
    COMMENT COLUMN DAOS_F_FASTEST_RANK_TIME 'seconds that DAOS_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN DAOS_F_SLOWEST_RANK_TIME 'seconds that DAOS_SLOWEST_RANK spent in reads, writes and metadata';

ALTER TABLE dfs_records_versions
    COMMENT COLUMN DFS_OPENS 'opens of the file (dfs_open)',
    COMMENT COLUMN DFS_GLOBAL_OPENS 'opens by a handle of another process (dfs_obj_global2local)',
    COMMENT COLUMN DFS_LOOKUPS 'opens by a lookup of the path',
    COMMENT COLUMN DFS_DUPS 'duplicates of the file''s handle (dfs_dup)',
    COMMENT COLUMN DFS_READS 'contiguous reads (dfs_read)',
    COMMENT COLUMN DFS_READXS 'noncontiguous reads (dfs_readx)',
    COMMENT COLUMN DFS_WRITES 'contiguous writes (dfs_write)',
    COMMENT COLUMN DFS_WRITEXS 'noncontiguous writes (dfs_writex)',
    COMMENT COLUMN DFS_NB_READS 'nonblocking reads; they count in DFS_READS or DFS_READXS too',
    COMMENT COLUMN DFS_NB_WRITES 'nonblocking writes; they count in DFS_WRITES or DFS_WRITEXS too',
    COMMENT COLUMN DFS_GET_SIZES 'calls that ask for the file''s size',
    COMMENT COLUMN DFS_PUNCHES 'calls that punch a hole into the file',
    COMMENT COLUMN DFS_REMOVES 'calls that remove the file',
    COMMENT COLUMN DFS_STATS 'calls that ask for the file''s attributes (stat)',
    COMMENT COLUMN DFS_BYTES_READ 'bytes read from the file through DFS',
    COMMENT COLUMN DFS_BYTES_WRITTEN 'bytes written to the file through DFS',
    COMMENT COLUMN DFS_RW_SWITCHES 'changes from reading to writing or back, by the same process',
    COMMENT COLUMN DFS_MAX_READ_TIME_SIZE 'bytes of the slowest read',
    COMMENT COLUMN DFS_MAX_WRITE_TIME_SIZE 'bytes of the slowest write',
    COMMENT COLUMN DFS_SIZE_READ_0_100 'reads of up to 100 bytes',
    COMMENT COLUMN DFS_SIZE_READ_100_1K 'reads of more than 100 bytes, up to 1 KiB',
    COMMENT COLUMN DFS_SIZE_READ_1K_10K 'reads of more than 1 KiB, up to 10 KiB',
    COMMENT COLUMN DFS_SIZE_READ_10K_100K 'reads of more than 10 KiB, up to 100 KiB',
    COMMENT COLUMN DFS_SIZE_READ_100K_1M 'reads of more than 100 KiB, up to 1 MiB',
    COMMENT COLUMN DFS_SIZE_READ_1M_4M 'reads of more than 1 MiB, up to 4 MiB',
    COMMENT COLUMN DFS_SIZE_READ_4M_10M 'reads of more than 4 MiB, up to 10 MiB',
    COMMENT COLUMN DFS_SIZE_READ_10M_100M 'reads of more than 10 MiB, up to 100 MiB',
    COMMENT COLUMN DFS_SIZE_READ_100M_1G 'reads of more than 100 MiB, up to 1 GiB',
    COMMENT COLUMN DFS_SIZE_READ_1G_PLUS 'reads of more than 1 GiB',
    COMMENT COLUMN DFS_SIZE_WRITE_0_100 'writes of up to 100 bytes',
    COMMENT COLUMN DFS_SIZE_WRITE_100_1K 'writes of more than 100 bytes, up to 1 KiB',
    COMMENT COLUMN DFS_SIZE_WRITE_1K_10K 'writes of more than 1 KiB, up to 10 KiB',
    COMMENT COLUMN DFS_SIZE_WRITE_10K_100K 'writes of more than 10 KiB, up to 100 KiB',
    COMMENT COLUMN DFS_SIZE_WRITE_100K_1M 'writes of more than 100 KiB, up to 1 MiB',
    COMMENT COLUMN DFS_SIZE_WRITE_1M_4M 'writes of more than 1 MiB, up to 4 MiB',
    COMMENT COLUMN DFS_SIZE_WRITE_4M_10M 'writes of more than 4 MiB, up to 10 MiB',
    COMMENT COLUMN DFS_SIZE_WRITE_10M_100M 'writes of more than 10 MiB, up to 100 MiB',
    COMMENT COLUMN DFS_SIZE_WRITE_100M_1G 'writes of more than 100 MiB, up to 1 GiB',
    COMMENT COLUMN DFS_SIZE_WRITE_1G_PLUS 'writes of more than 1 GiB',
    COMMENT COLUMN DFS_ACCESS1_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DFS_ACCESS2_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DFS_ACCESS3_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DFS_ACCESS4_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN DFS_ACCESS1_COUNT 'reads and writes of DFS_ACCESS1_ACCESS bytes',
    COMMENT COLUMN DFS_ACCESS2_COUNT 'reads and writes of DFS_ACCESS2_ACCESS bytes',
    COMMENT COLUMN DFS_ACCESS3_COUNT 'reads and writes of DFS_ACCESS3_ACCESS bytes',
    COMMENT COLUMN DFS_ACCESS4_COUNT 'reads and writes of DFS_ACCESS4_ACCESS bytes',
    COMMENT COLUMN DFS_CHUNK_SIZE 'bytes of a chunk of the file',
    COMMENT COLUMN DFS_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN DFS_FASTEST_RANK_BYTES 'bytes that DFS_FASTEST_RANK read and wrote',
    COMMENT COLUMN DFS_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN DFS_SLOWEST_RANK_BYTES 'bytes that DFS_SLOWEST_RANK read and wrote',
    COMMENT COLUMN DFS_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN DFS_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN DFS_F_WRITE_TIME 'seconds in writes, summed over the ranks of the record',
    COMMENT COLUMN DFS_F_META_TIME 'seconds in calls of metadata (open, dup, lookup, get size, punch, release, remove, stat), summed over the ranks of the record',
    COMMENT COLUMN DFS_F_MAX_READ_TIME 'seconds of the slowest read',
    COMMENT COLUMN DFS_F_MAX_WRITE_TIME 'seconds of the slowest write',
    COMMENT COLUMN DFS_F_FASTEST_RANK_TIME 'seconds that DFS_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN DFS_F_SLOWEST_RANK_TIME 'seconds that DFS_SLOWEST_RANK spent in reads, writes and metadata';

ALTER TABLE h5d_records_versions
    COMMENT COLUMN H5D_OPENS 'opens and creates of the dataset',
    COMMENT COLUMN H5D_READS 'reads of the dataset, calls',
    COMMENT COLUMN H5D_WRITES 'writes of the dataset, calls',
    COMMENT COLUMN H5D_FLUSHES 'flushes of the dataset, calls; -1 where Darshan cannot count them',
    COMMENT COLUMN H5D_BYTES_READ 'bytes read from the dataset through HDF5',
    COMMENT COLUMN H5D_BYTES_WRITTEN 'bytes written to the dataset through HDF5',
    COMMENT COLUMN H5D_RW_SWITCHES 'changes from reading to writing or back, by the same process',
    COMMENT COLUMN H5D_REGULAR_HYPERSLAB_SELECTS 'reads and writes of a regular hyperslab of the dataset; -1 where Darshan cannot tell',
    COMMENT COLUMN H5D_IRREGULAR_HYPERSLAB_SELECTS 'reads and writes of an irregular hyperslab of the dataset; -1 where Darshan cannot tell',
    COMMENT COLUMN H5D_POINT_SELECTS 'reads and writes of single points of the dataset',
    COMMENT COLUMN H5D_MAX_READ_TIME_SIZE 'bytes of the slowest read',
    COMMENT COLUMN H5D_MAX_WRITE_TIME_SIZE 'bytes of the slowest write',
    COMMENT COLUMN H5D_SIZE_READ_AGG_0_100 'reads of up to 100 bytes, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_100_1K 'reads of more than 100 bytes, up to 1 KiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_1K_10K 'reads of more than 1 KiB, up to 10 KiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_10K_100K 'reads of more than 10 KiB, up to 100 KiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_100K_1M 'reads of more than 100 KiB, up to 1 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_1M_4M 'reads of more than 1 MiB, up to 4 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_4M_10M 'reads of more than 4 MiB, up to 10 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_10M_100M 'reads of more than 10 MiB, up to 100 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_100M_1G 'reads of more than 100 MiB, up to 1 GiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_READ_AGG_1G_PLUS 'reads of more than 1 GiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_0_100 'writes of up to 100 bytes, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_100_1K 'writes of more than 100 bytes, up to 1 KiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_1K_10K 'writes of more than 1 KiB, up to 10 KiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_10K_100K 'writes of more than 10 KiB, up to 100 KiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_100K_1M 'writes of more than 100 KiB, up to 1 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_1M_4M 'writes of more than 1 MiB, up to 4 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_4M_10M 'writes of more than 4 MiB, up to 10 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_10M_100M 'writes of more than 10 MiB, up to 100 MiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_100M_1G 'writes of more than 100 MiB, up to 1 GiB, all that a call asks for together',
    COMMENT COLUMN H5D_SIZE_WRITE_AGG_1G_PLUS 'writes of more than 1 GiB, all that a call asks for together',
    COMMENT COLUMN H5D_ACCESS1_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN H5D_ACCESS1_LENGTH_D1 'of access 1: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS1_LENGTH_D2 'of access 1: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS1_LENGTH_D3 'of access 1: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS1_LENGTH_D4 'of access 1: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS1_LENGTH_D5 'of access 1: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS1_STRIDE_D1 'of access 1: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS1_STRIDE_D2 'of access 1: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS1_STRIDE_D3 'of access 1: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS1_STRIDE_D4 'of access 1: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS1_STRIDE_D5 'of access 1: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS2_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN H5D_ACCESS2_LENGTH_D1 'of access 2: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS2_LENGTH_D2 'of access 2: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS2_LENGTH_D3 'of access 2: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS2_LENGTH_D4 'of access 2: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS2_LENGTH_D5 'of access 2: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS2_STRIDE_D1 'of access 2: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS2_STRIDE_D2 'of access 2: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS2_STRIDE_D3 'of access 2: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS2_STRIDE_D4 'of access 2: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS2_STRIDE_D5 'of access 2: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS3_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN H5D_ACCESS3_LENGTH_D1 'of access 3: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS3_LENGTH_D2 'of access 3: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS3_LENGTH_D3 'of access 3: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS3_LENGTH_D4 'of access 3: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS3_LENGTH_D5 'of access 3: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS3_STRIDE_D1 'of access 3: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS3_STRIDE_D2 'of access 3: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS3_STRIDE_D3 'of access 3: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS3_STRIDE_D4 'of access 3: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS3_STRIDE_D5 'of access 3: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS4_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN H5D_ACCESS4_LENGTH_D1 'of access 4: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS4_LENGTH_D2 'of access 4: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS4_LENGTH_D3 'of access 4: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS4_LENGTH_D4 'of access 4: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS4_LENGTH_D5 'of access 4: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN H5D_ACCESS4_STRIDE_D1 'of access 4: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS4_STRIDE_D2 'of access 4: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS4_STRIDE_D3 'of access 4: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS4_STRIDE_D4 'of access 4: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS4_STRIDE_D5 'of access 4: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN H5D_ACCESS1_COUNT 'reads and writes that are as access 1',
    COMMENT COLUMN H5D_ACCESS2_COUNT 'reads and writes that are as access 2',
    COMMENT COLUMN H5D_ACCESS3_COUNT 'reads and writes that are as access 3',
    COMMENT COLUMN H5D_ACCESS4_COUNT 'reads and writes that are as access 4',
    COMMENT COLUMN H5D_DATASPACE_NDIMS 'dimensions of the dataset',
    COMMENT COLUMN H5D_DATASPACE_NPOINTS 'elements of the dataset',
    COMMENT COLUMN H5D_DATATYPE_SIZE 'bytes of an element of the dataset',
    COMMENT COLUMN H5D_CHUNK_SIZE_D1 'elements of a chunk along the last dimension; 0: no chunks, or no such dimension',
    COMMENT COLUMN H5D_CHUNK_SIZE_D2 'elements of a chunk along the second last dimension; 0: no chunks, or no such dimension',
    COMMENT COLUMN H5D_CHUNK_SIZE_D3 'elements of a chunk along the third last dimension; 0: no chunks, or no such dimension',
    COMMENT COLUMN H5D_CHUNK_SIZE_D4 'elements of a chunk along the fourth last dimension; 0: no chunks, or no such dimension',
    COMMENT COLUMN H5D_CHUNK_SIZE_D5 'elements of a chunk along the fifth last dimension; 0: no chunks, or no such dimension',
    COMMENT COLUMN H5D_USE_MPIIO_COLLECTIVE '1: collective transfers through MPI-IO were asked for',
    COMMENT COLUMN H5D_USE_DEPRECATED '1: the dataset was opened or created by deprecated calls',
    COMMENT COLUMN H5D_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN H5D_FASTEST_RANK_BYTES 'bytes that H5D_FASTEST_RANK read and wrote',
    COMMENT COLUMN H5D_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN H5D_SLOWEST_RANK_BYTES 'bytes that H5D_SLOWEST_RANK read and wrote',
    COMMENT COLUMN H5D_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5D_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN H5D_F_WRITE_TIME 'seconds in writes, summed over the ranks of the record',
    COMMENT COLUMN H5D_F_META_TIME 'seconds in calls of metadata (open, close, flush), summed over the ranks of the record',
    COMMENT COLUMN H5D_F_MAX_READ_TIME 'seconds of the slowest read',
    COMMENT COLUMN H5D_F_MAX_WRITE_TIME 'seconds of the slowest write',
    COMMENT COLUMN H5D_F_FASTEST_RANK_TIME 'seconds that H5D_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN H5D_F_SLOWEST_RANK_TIME 'seconds that H5D_SLOWEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN H5D_F_VARIANCE_RANK_TIME 'of a record of all ranks (-1): variance of their times in reads, writes and metadata, seconds squared',
    COMMENT COLUMN H5D_F_VARIANCE_RANK_BYTES 'of a record of all ranks (-1): variance of the bytes that each read and wrote, bytes squared';

ALTER TABLE h5f_records_versions
    COMMENT COLUMN H5F_OPENS 'opens and creates of the file by HDF5',
    COMMENT COLUMN H5F_FLUSHES 'flushes of the file by HDF5, calls',
    COMMENT COLUMN H5F_USE_MPIIO '1: HDF5 accesses the file through MPI-IO',
    COMMENT COLUMN H5F_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5F_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5F_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5F_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN H5F_F_META_TIME 'seconds in calls of metadata (open, close, flush), summed over the ranks of the record';

ALTER TABLE heatmap_bins_versions
    COMMENT COLUMN BYTES_READ 'bytes that the rank read in the bin through the interface',
    COMMENT COLUMN BYTES_WRITTEN 'bytes that the rank wrote in the bin through the interface',
    COMMENT COLUMN BIN_WIDTH_SECONDS 'seconds that a bin covers';

ALTER TABLE lustre_stripes_versions
    COMMENT COLUMN LUSTRE_COMP_STRIPE_COUNT 'storage targets over which the component is striped',
    COMMENT COLUMN LUSTRE_COMP_STRIPE_PATTERN 'Lustre''s number of the component''s pattern (raid0, mdt, overstriping)',
    COMMENT COLUMN LUSTRE_COMP_FLAGS 'Lustre''s flags of the component, a bit each (init, prefwr, stale, ...)',
    COMMENT COLUMN LUSTRE_COMP_EXT_END 'first byte of the file behind the component; -1: it has no end',
    COMMENT COLUMN LUSTRE_COMP_MIRROR_ID 'of the mirror that the component belongs to, where the file has mirrors';

ALTER TABLE mpiio_records_versions
    COMMENT COLUMN MPIIO_INDEP_OPENS 'independent opens: by a communicator of one process',
    COMMENT COLUMN MPIIO_COLL_OPENS 'collective opens: by a communicator of several processes, counted in each',
    COMMENT COLUMN MPIIO_INDEP_READS 'independent reads, calls',
    COMMENT COLUMN MPIIO_INDEP_WRITES 'independent writes, calls',
    COMMENT COLUMN MPIIO_COLL_READS 'collective reads, calls, counted in each process',
    COMMENT COLUMN MPIIO_COLL_WRITES 'collective writes, calls, counted in each process',
    COMMENT COLUMN MPIIO_SPLIT_READS 'split collective reads, calls, counted in each process',
    COMMENT COLUMN MPIIO_SPLIT_WRITES 'split collective writes, calls, counted in each process',
    COMMENT COLUMN MPIIO_NB_READS 'nonblocking reads, calls',
    COMMENT COLUMN MPIIO_NB_WRITES 'nonblocking writes, calls',
    COMMENT COLUMN MPIIO_SYNCS 'calls of MPI_File_sync',
    COMMENT COLUMN MPIIO_HINTS 'calls that open the file or set a view with hints (an MPI_Info)',
    COMMENT COLUMN MPIIO_VIEWS 'calls of MPI_File_set_view',
    COMMENT COLUMN MPIIO_MODE 'access mode (amode) of the last MPI_File_open',
    COMMENT COLUMN MPIIO_BYTES_READ 'bytes read from the file through MPI-IO',
    COMMENT COLUMN MPIIO_BYTES_WRITTEN 'bytes written to the file through MPI-IO',
    COMMENT COLUMN MPIIO_RW_SWITCHES 'changes from reading to writing or back, by the same process',
    COMMENT COLUMN MPIIO_MAX_READ_TIME_SIZE 'bytes of the slowest read',
    COMMENT COLUMN MPIIO_MAX_WRITE_TIME_SIZE 'bytes of the slowest write',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_0_100 'reads of up to 100 bytes, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_100_1K 'reads of more than 100 bytes, up to 1 KiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_1K_10K 'reads of more than 1 KiB, up to 10 KiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_10K_100K 'reads of more than 10 KiB, up to 100 KiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_100K_1M 'reads of more than 100 KiB, up to 1 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_1M_4M 'reads of more than 1 MiB, up to 4 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_4M_10M 'reads of more than 4 MiB, up to 10 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_10M_100M 'reads of more than 10 MiB, up to 100 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_100M_1G 'reads of more than 100 MiB, up to 1 GiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_READ_AGG_1G_PLUS 'reads of more than 1 GiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_0_100 'writes of up to 100 bytes, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_100_1K 'writes of more than 100 bytes, up to 1 KiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_1K_10K 'writes of more than 1 KiB, up to 10 KiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_10K_100K 'writes of more than 10 KiB, up to 100 KiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_100K_1M 'writes of more than 100 KiB, up to 1 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_1M_4M 'writes of more than 1 MiB, up to 4 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_4M_10M 'writes of more than 4 MiB, up to 10 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_10M_100M 'writes of more than 10 MiB, up to 100 MiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_100M_1G 'writes of more than 100 MiB, up to 1 GiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_SIZE_WRITE_AGG_1G_PLUS 'writes of more than 1 GiB, all that a call asks for together',
    COMMENT COLUMN MPIIO_ACCESS1_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN MPIIO_ACCESS2_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN MPIIO_ACCESS3_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN MPIIO_ACCESS4_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN MPIIO_ACCESS1_COUNT 'reads and writes of MPIIO_ACCESS1_ACCESS bytes',
    COMMENT COLUMN MPIIO_ACCESS2_COUNT 'reads and writes of MPIIO_ACCESS2_ACCESS bytes',
    COMMENT COLUMN MPIIO_ACCESS3_COUNT 'reads and writes of MPIIO_ACCESS3_ACCESS bytes',
    COMMENT COLUMN MPIIO_ACCESS4_COUNT 'reads and writes of MPIIO_ACCESS4_ACCESS bytes',
    COMMENT COLUMN MPIIO_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN MPIIO_FASTEST_RANK_BYTES 'bytes that MPIIO_FASTEST_RANK read and wrote',
    COMMENT COLUMN MPIIO_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN MPIIO_SLOWEST_RANK_BYTES 'bytes that MPIIO_SLOWEST_RANK read and wrote',
    COMMENT COLUMN MPIIO_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN MPIIO_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN MPIIO_F_WRITE_TIME 'seconds in writes and syncs, summed over the ranks of the record',
    COMMENT COLUMN MPIIO_F_META_TIME 'seconds in calls of metadata (open, close, setting views with hints), summed over the ranks of the record',
    COMMENT COLUMN MPIIO_F_MAX_READ_TIME 'seconds of the slowest read',
    COMMENT COLUMN MPIIO_F_MAX_WRITE_TIME 'seconds of the slowest write',
    COMMENT COLUMN MPIIO_F_FASTEST_RANK_TIME 'seconds that MPIIO_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN MPIIO_F_SLOWEST_RANK_TIME 'seconds that MPIIO_SLOWEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN MPIIO_F_VARIANCE_RANK_TIME 'of a record of all ranks (-1): variance of their times in reads, writes and metadata, seconds squared',
    COMMENT COLUMN MPIIO_F_VARIANCE_RANK_BYTES 'of a record of all ranks (-1): variance of the bytes that each read and wrote, bytes squared';

ALTER TABLE pnetcdf_file_records_versions
    COMMENT COLUMN PNETCDF_FILE_CREATES 'creates of the file, calls',
    COMMENT COLUMN PNETCDF_FILE_OPENS 'opens of the file, calls',
    COMMENT COLUMN PNETCDF_FILE_REDEFS 'calls that enter define mode again (redef)',
    COMMENT COLUMN PNETCDF_FILE_INDEP_WAITS 'independent waits for nonblocking requests, calls',
    COMMENT COLUMN PNETCDF_FILE_COLL_WAITS 'collective waits for nonblocking requests, calls, counted in each process',
    COMMENT COLUMN PNETCDF_FILE_SYNCS 'syncs of the file, calls',
    COMMENT COLUMN PNETCDF_FILE_BYTES_READ 'bytes read of all variables, and by the library itself for its metadata',
    COMMENT COLUMN PNETCDF_FILE_BYTES_WRITTEN 'bytes written of all variables, and by the library itself for its metadata',
    COMMENT COLUMN PNETCDF_FILE_WAIT_FAILURES 'waits that failed: counters of the file''s variables are unreliable where there are some',
    COMMENT COLUMN PNETCDF_FILE_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_FILE_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_FILE_F_WAIT_START_TIMESTAMP 'begin of the first wait, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_FILE_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_FILE_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_FILE_F_WAIT_END_TIMESTAMP 'end of the last wait, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_FILE_F_META_TIME 'seconds in calls of metadata (open, close, sync, redef, enddef), summed over the ranks of the record',
    COMMENT COLUMN PNETCDF_FILE_F_WAIT_TIME 'seconds in waits for nonblocking requests, summed over the ranks of the record';

ALTER TABLE pnetcdf_var_records_versions
    COMMENT COLUMN PNETCDF_VAR_OPENS 'definitions and inquiries of the variable, calls',
    COMMENT COLUMN PNETCDF_VAR_INDEP_READS 'independent reads, calls',
    COMMENT COLUMN PNETCDF_VAR_INDEP_WRITES 'independent writes, calls',
    COMMENT COLUMN PNETCDF_VAR_COLL_READS 'collective reads, calls, counted in each process',
    COMMENT COLUMN PNETCDF_VAR_COLL_WRITES 'collective writes, calls, counted in each process',
    COMMENT COLUMN PNETCDF_VAR_NB_READS 'nonblocking reads, calls',
    COMMENT COLUMN PNETCDF_VAR_NB_WRITES 'nonblocking writes, calls',
    COMMENT COLUMN PNETCDF_VAR_BYTES_READ 'bytes read of the variable, without metadata of the library',
    COMMENT COLUMN PNETCDF_VAR_BYTES_WRITTEN 'bytes written of the variable, without metadata of the library',
    COMMENT COLUMN PNETCDF_VAR_RW_SWITCHES 'changes from reading to writing or back, by the same process',
    COMMENT COLUMN PNETCDF_VAR_PUT_VAR 'calls of ncmpi_put_var in all its variants',
    COMMENT COLUMN PNETCDF_VAR_PUT_VAR1 'calls of ncmpi_put_var1 in all its variants',
    COMMENT COLUMN PNETCDF_VAR_PUT_VARA 'calls of ncmpi_put_vara in all its variants',
    COMMENT COLUMN PNETCDF_VAR_PUT_VARS 'calls of ncmpi_put_vars in all its variants',
    COMMENT COLUMN PNETCDF_VAR_PUT_VARM 'calls of ncmpi_put_varm in all its variants',
    COMMENT COLUMN PNETCDF_VAR_PUT_VARN 'calls of ncmpi_put_varn in all its variants',
    COMMENT COLUMN PNETCDF_VAR_PUT_VARD 'calls of ncmpi_put_vard in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VAR 'calls of ncmpi_get_var in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VAR1 'calls of ncmpi_get_var1 in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VARA 'calls of ncmpi_get_vara in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VARS 'calls of ncmpi_get_vars in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VARM 'calls of ncmpi_get_varm in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VARN 'calls of ncmpi_get_varn in all its variants',
    COMMENT COLUMN PNETCDF_VAR_GET_VARD 'calls of ncmpi_get_vard in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IPUT_VAR 'calls of ncmpi_iput_var in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IPUT_VAR1 'calls of ncmpi_iput_var1 in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IPUT_VARA 'calls of ncmpi_iput_vara in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IPUT_VARS 'calls of ncmpi_iput_vars in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IPUT_VARM 'calls of ncmpi_iput_varm in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IPUT_VARN 'calls of ncmpi_iput_varn in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IGET_VAR 'calls of ncmpi_iget_var in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IGET_VAR1 'calls of ncmpi_iget_var1 in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IGET_VARA 'calls of ncmpi_iget_vara in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IGET_VARS 'calls of ncmpi_iget_vars in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IGET_VARM 'calls of ncmpi_iget_varm in all its variants',
    COMMENT COLUMN PNETCDF_VAR_IGET_VARN 'calls of ncmpi_iget_varn in all its variants',
    COMMENT COLUMN PNETCDF_VAR_BPUT_VAR 'calls of ncmpi_bput_var in all its variants',
    COMMENT COLUMN PNETCDF_VAR_BPUT_VAR1 'calls of ncmpi_bput_var1 in all its variants',
    COMMENT COLUMN PNETCDF_VAR_BPUT_VARA 'calls of ncmpi_bput_vara in all its variants',
    COMMENT COLUMN PNETCDF_VAR_BPUT_VARS 'calls of ncmpi_bput_vars in all its variants',
    COMMENT COLUMN PNETCDF_VAR_BPUT_VARM 'calls of ncmpi_bput_varm in all its variants',
    COMMENT COLUMN PNETCDF_VAR_BPUT_VARN 'calls of ncmpi_bput_varn in all its variants',
    COMMENT COLUMN PNETCDF_VAR_MAX_READ_TIME_SIZE 'bytes of the slowest read',
    COMMENT COLUMN PNETCDF_VAR_MAX_WRITE_TIME_SIZE 'bytes of the slowest write',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_0_100 'reads of up to 100 bytes, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_100_1K 'reads of more than 100 bytes, up to 1 KiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_1K_10K 'reads of more than 1 KiB, up to 10 KiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_10K_100K 'reads of more than 10 KiB, up to 100 KiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_100K_1M 'reads of more than 100 KiB, up to 1 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_1M_4M 'reads of more than 1 MiB, up to 4 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_4M_10M 'reads of more than 4 MiB, up to 10 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_10M_100M 'reads of more than 10 MiB, up to 100 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_100M_1G 'reads of more than 100 MiB, up to 1 GiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_READ_AGG_1G_PLUS 'reads of more than 1 GiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_0_100 'writes of up to 100 bytes, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_100_1K 'writes of more than 100 bytes, up to 1 KiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_1K_10K 'writes of more than 1 KiB, up to 10 KiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_10K_100K 'writes of more than 10 KiB, up to 100 KiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_100K_1M 'writes of more than 100 KiB, up to 1 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_1M_4M 'writes of more than 1 MiB, up to 4 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_4M_10M 'writes of more than 4 MiB, up to 10 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_10M_100M 'writes of more than 10 MiB, up to 100 MiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_100M_1G 'writes of more than 100 MiB, up to 1 GiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_SIZE_WRITE_AGG_1G_PLUS 'writes of more than 1 GiB, all that a call asks for together',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_LENGTH_D1 'of access 1: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_LENGTH_D2 'of access 1: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_LENGTH_D3 'of access 1: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_LENGTH_D4 'of access 1: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_LENGTH_D5 'of access 1: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_STRIDE_D1 'of access 1: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_STRIDE_D2 'of access 1: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_STRIDE_D3 'of access 1: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_STRIDE_D4 'of access 1: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_STRIDE_D5 'of access 1: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_LENGTH_D1 'of access 2: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_LENGTH_D2 'of access 2: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_LENGTH_D3 'of access 2: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_LENGTH_D4 'of access 2: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_LENGTH_D5 'of access 2: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_STRIDE_D1 'of access 2: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_STRIDE_D2 'of access 2: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_STRIDE_D3 'of access 2: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_STRIDE_D4 'of access 2: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_STRIDE_D5 'of access 2: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_LENGTH_D1 'of access 3: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_LENGTH_D2 'of access 3: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_LENGTH_D3 'of access 3: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_LENGTH_D4 'of access 3: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_LENGTH_D5 'of access 3: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_STRIDE_D1 'of access 3: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_STRIDE_D2 'of access 3: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_STRIDE_D3 'of access 3: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_STRIDE_D4 'of access 3: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_STRIDE_D5 'of access 3: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_ACCESS 'one of the four most frequent accesses: bytes of a read or write',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_LENGTH_D1 'of access 4: elements along dimension 1 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_LENGTH_D2 'of access 4: elements along dimension 2 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_LENGTH_D3 'of access 4: elements along dimension 3 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_LENGTH_D4 'of access 4: elements along dimension 4 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_LENGTH_D5 'of access 4: elements along dimension 5 of the last five, as Darshan numbers them',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_STRIDE_D1 'of access 4: stride along dimension 1 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_STRIDE_D2 'of access 4: stride along dimension 2 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_STRIDE_D3 'of access 4: stride along dimension 3 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_STRIDE_D4 'of access 4: stride along dimension 4 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_STRIDE_D5 'of access 4: stride along dimension 5 of the last five, elements',
    COMMENT COLUMN PNETCDF_VAR_ACCESS1_COUNT 'reads and writes that are as access 1',
    COMMENT COLUMN PNETCDF_VAR_ACCESS2_COUNT 'reads and writes that are as access 2',
    COMMENT COLUMN PNETCDF_VAR_ACCESS3_COUNT 'reads and writes that are as access 3',
    COMMENT COLUMN PNETCDF_VAR_ACCESS4_COUNT 'reads and writes that are as access 4',
    COMMENT COLUMN PNETCDF_VAR_NDIMS 'dimensions of the variable',
    COMMENT COLUMN PNETCDF_VAR_NPOINTS 'elements of the variable; of a record variable those of one record',
    COMMENT COLUMN PNETCDF_VAR_DATATYPE_SIZE 'bytes of an element of the variable',
    COMMENT COLUMN PNETCDF_VAR_IS_RECORD_VAR '1: a record variable, which grows along the unlimited dimension',
    COMMENT COLUMN PNETCDF_VAR_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN PNETCDF_VAR_FASTEST_RANK_BYTES 'bytes that PNETCDF_VAR_FASTEST_RANK read and wrote',
    COMMENT COLUMN PNETCDF_VAR_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN PNETCDF_VAR_SLOWEST_RANK_BYTES 'bytes that PNETCDF_VAR_SLOWEST_RANK read and wrote',
    COMMENT COLUMN PNETCDF_VAR_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN PNETCDF_VAR_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN PNETCDF_VAR_F_WRITE_TIME 'seconds in writes, summed over the ranks of the record',
    COMMENT COLUMN PNETCDF_VAR_F_META_TIME 'seconds in calls of metadata (defining and inquiring of the variable), summed over the ranks of the record',
    COMMENT COLUMN PNETCDF_VAR_F_MAX_READ_TIME 'seconds of the slowest read',
    COMMENT COLUMN PNETCDF_VAR_F_MAX_WRITE_TIME 'seconds of the slowest write',
    COMMENT COLUMN PNETCDF_VAR_F_FASTEST_RANK_TIME 'seconds that PNETCDF_VAR_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN PNETCDF_VAR_F_SLOWEST_RANK_TIME 'seconds that PNETCDF_VAR_SLOWEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN PNETCDF_VAR_F_VARIANCE_RANK_TIME 'of a record of all ranks (-1): variance of their times in reads, writes and metadata, seconds squared',
    COMMENT COLUMN PNETCDF_VAR_F_VARIANCE_RANK_BYTES 'of a record of all ranks (-1): variance of the bytes that each read and wrote, bytes squared';

ALTER TABLE posix_records_versions
    COMMENT COLUMN POSIX_OPENS 'opens of the file, those by fileno and dup too',
    COMMENT COLUMN POSIX_FILENOS 'calls of fileno; they count in POSIX_OPENS too',
    COMMENT COLUMN POSIX_DUPS 'calls of dup and the like; they count in POSIX_OPENS too',
    COMMENT COLUMN POSIX_READS 'calls that read, in all variants (read, pread, readv, ...)',
    COMMENT COLUMN POSIX_WRITES 'calls that write, in all variants (write, pwrite, writev, ...)',
    COMMENT COLUMN POSIX_SEEKS 'calls of lseek',
    COMMENT COLUMN POSIX_STATS 'calls of stat, lstat and fstat',
    COMMENT COLUMN POSIX_MMAPS 'calls of mmap; -1 where Darshan does not count them',
    COMMENT COLUMN POSIX_FSYNCS 'calls of fsync',
    COMMENT COLUMN POSIX_FDSYNCS 'calls of fdatasync',
    COMMENT COLUMN POSIX_RENAME_SOURCES 'renames of the file to another name',
    COMMENT COLUMN POSIX_RENAME_TARGETS 'renames of a file to this one',
    COMMENT COLUMN POSIX_RENAMED_FROM 'Darshan''s id of the first file that was renamed to this one',
    COMMENT COLUMN POSIX_MODE 'permission bits (mode) of the last open that gave some',
    COMMENT COLUMN POSIX_BYTES_READ 'bytes read from the file through POSIX',
    COMMENT COLUMN POSIX_BYTES_WRITTEN 'bytes written to the file through POSIX',
    COMMENT COLUMN POSIX_MAX_BYTE_READ 'highest offset read, bytes from 0',
    COMMENT COLUMN POSIX_MAX_BYTE_WRITTEN 'highest offset written, bytes from 0',
    COMMENT COLUMN POSIX_CONSEC_READS 'reads that begin right behind the read before, by the same process; they count in POSIX_SEQ_READS too',
    COMMENT COLUMN POSIX_CONSEC_WRITES 'writes that begin right behind the write before, by the same process; they count in POSIX_SEQ_WRITES too',
    COMMENT COLUMN POSIX_SEQ_READS 'reads that begin at a higher offset than where the read before ended, by the same process',
    COMMENT COLUMN POSIX_SEQ_WRITES 'writes that begin at a higher offset than where the write before ended, by the same process',
    COMMENT COLUMN POSIX_RW_SWITCHES 'changes from reading to writing or back, by the same process',
    COMMENT COLUMN POSIX_MEM_NOT_ALIGNED 'reads and writes whose memory is not aligned to POSIX_MEM_ALIGNMENT',
    COMMENT COLUMN POSIX_MEM_ALIGNMENT 'bytes, chosen when Darshan was built',
    COMMENT COLUMN POSIX_FILE_NOT_ALIGNED 'reads and writes whose offset is no multiple of POSIX_FILE_ALIGNMENT',
    COMMENT COLUMN POSIX_FILE_ALIGNMENT 'bytes: block size of the file system, as Darshan takes it',
    COMMENT COLUMN POSIX_MAX_READ_TIME_SIZE 'bytes of the slowest read',
    COMMENT COLUMN POSIX_MAX_WRITE_TIME_SIZE 'bytes of the slowest write',
    COMMENT COLUMN POSIX_SIZE_READ_0_100 'reads of up to 100 bytes',
    COMMENT COLUMN POSIX_SIZE_READ_100_1K 'reads of more than 100 bytes, up to 1 KiB',
    COMMENT COLUMN POSIX_SIZE_READ_1K_10K 'reads of more than 1 KiB, up to 10 KiB',
    COMMENT COLUMN POSIX_SIZE_READ_10K_100K 'reads of more than 10 KiB, up to 100 KiB',
    COMMENT COLUMN POSIX_SIZE_READ_100K_1M 'reads of more than 100 KiB, up to 1 MiB',
    COMMENT COLUMN POSIX_SIZE_READ_1M_4M 'reads of more than 1 MiB, up to 4 MiB',
    COMMENT COLUMN POSIX_SIZE_READ_4M_10M 'reads of more than 4 MiB, up to 10 MiB',
    COMMENT COLUMN POSIX_SIZE_READ_10M_100M 'reads of more than 10 MiB, up to 100 MiB',
    COMMENT COLUMN POSIX_SIZE_READ_100M_1G 'reads of more than 100 MiB, up to 1 GiB',
    COMMENT COLUMN POSIX_SIZE_READ_1G_PLUS 'reads of more than 1 GiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_0_100 'writes of up to 100 bytes',
    COMMENT COLUMN POSIX_SIZE_WRITE_100_1K 'writes of more than 100 bytes, up to 1 KiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_1K_10K 'writes of more than 1 KiB, up to 10 KiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_10K_100K 'writes of more than 10 KiB, up to 100 KiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_100K_1M 'writes of more than 100 KiB, up to 1 MiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_1M_4M 'writes of more than 1 MiB, up to 4 MiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_4M_10M 'writes of more than 4 MiB, up to 10 MiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_10M_100M 'writes of more than 10 MiB, up to 100 MiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_100M_1G 'writes of more than 100 MiB, up to 1 GiB',
    COMMENT COLUMN POSIX_SIZE_WRITE_1G_PLUS 'writes of more than 1 GiB',
    COMMENT COLUMN POSIX_STRIDE1_STRIDE 'one of the four most frequent strides: bytes between a read and the next read, or a write and the next write',
    COMMENT COLUMN POSIX_STRIDE2_STRIDE 'one of the four most frequent strides: bytes between a read and the next read, or a write and the next write',
    COMMENT COLUMN POSIX_STRIDE3_STRIDE 'one of the four most frequent strides: bytes between a read and the next read, or a write and the next write',
    COMMENT COLUMN POSIX_STRIDE4_STRIDE 'one of the four most frequent strides: bytes between a read and the next read, or a write and the next write',
    COMMENT COLUMN POSIX_STRIDE1_COUNT 'reads and writes at a stride of POSIX_STRIDE1_STRIDE',
    COMMENT COLUMN POSIX_STRIDE2_COUNT 'reads and writes at a stride of POSIX_STRIDE2_STRIDE',
    COMMENT COLUMN POSIX_STRIDE3_COUNT 'reads and writes at a stride of POSIX_STRIDE3_STRIDE',
    COMMENT COLUMN POSIX_STRIDE4_COUNT 'reads and writes at a stride of POSIX_STRIDE4_STRIDE',
    COMMENT COLUMN POSIX_ACCESS1_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN POSIX_ACCESS2_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN POSIX_ACCESS3_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN POSIX_ACCESS4_ACCESS 'one of the four most frequent sizes of reads and writes, bytes',
    COMMENT COLUMN POSIX_ACCESS1_COUNT 'reads and writes of POSIX_ACCESS1_ACCESS bytes',
    COMMENT COLUMN POSIX_ACCESS2_COUNT 'reads and writes of POSIX_ACCESS2_ACCESS bytes',
    COMMENT COLUMN POSIX_ACCESS3_COUNT 'reads and writes of POSIX_ACCESS3_ACCESS bytes',
    COMMENT COLUMN POSIX_ACCESS4_COUNT 'reads and writes of POSIX_ACCESS4_ACCESS bytes',
    COMMENT COLUMN POSIX_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN POSIX_FASTEST_RANK_BYTES 'bytes that POSIX_FASTEST_RANK read and wrote',
    COMMENT COLUMN POSIX_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN POSIX_SLOWEST_RANK_BYTES 'bytes that POSIX_SLOWEST_RANK read and wrote',
    COMMENT COLUMN POSIX_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN POSIX_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN POSIX_F_WRITE_TIME 'seconds in writes, fsync and fdatasync, summed over the ranks of the record',
    COMMENT COLUMN POSIX_F_META_TIME 'seconds in calls of metadata (open, close, stat, seek, rename), summed over the ranks of the record',
    COMMENT COLUMN POSIX_F_MAX_READ_TIME 'seconds of the slowest read',
    COMMENT COLUMN POSIX_F_MAX_WRITE_TIME 'seconds of the slowest write',
    COMMENT COLUMN POSIX_F_FASTEST_RANK_TIME 'seconds that POSIX_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN POSIX_F_SLOWEST_RANK_TIME 'seconds that POSIX_SLOWEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN POSIX_F_VARIANCE_RANK_TIME 'of a record of all ranks (-1): variance of their times in reads, writes and metadata, seconds squared',
    COMMENT COLUMN POSIX_F_VARIANCE_RANK_BYTES 'of a record of all ranks (-1): variance of the bytes that each read and wrote, bytes squared';

ALTER TABLE stdio_records_versions
    COMMENT COLUMN STDIO_OPENS 'opens of the file as a stream, those by fdopen too',
    COMMENT COLUMN STDIO_FDOPENS 'calls of fdopen; they count in STDIO_OPENS too',
    COMMENT COLUMN STDIO_READS 'calls that read the stream',
    COMMENT COLUMN STDIO_WRITES 'calls that write the stream',
    COMMENT COLUMN STDIO_SEEKS 'calls that set the place in the stream (fseek, rewind, ...)',
    COMMENT COLUMN STDIO_FLUSHES 'calls of fflush',
    COMMENT COLUMN STDIO_BYTES_WRITTEN 'bytes written to the file through STDIO',
    COMMENT COLUMN STDIO_BYTES_READ 'bytes read from the file through STDIO',
    COMMENT COLUMN STDIO_MAX_BYTE_READ 'highest offset read, bytes from 0',
    COMMENT COLUMN STDIO_MAX_BYTE_WRITTEN 'highest offset written, bytes from 0',
    COMMENT COLUMN STDIO_FASTEST_RANK 'of a record of all ranks (-1): the rank that spent least time in reads, writes and metadata',
    COMMENT COLUMN STDIO_FASTEST_RANK_BYTES 'bytes that STDIO_FASTEST_RANK read and wrote',
    COMMENT COLUMN STDIO_SLOWEST_RANK 'of a record of all ranks (-1): the rank that spent most time in reads, writes and metadata',
    COMMENT COLUMN STDIO_SLOWEST_RANK_BYTES 'bytes that STDIO_SLOWEST_RANK read and wrote',
    COMMENT COLUMN STDIO_F_META_TIME 'seconds in calls of metadata (open, close, seek), summed over the ranks of the record',
    COMMENT COLUMN STDIO_F_WRITE_TIME 'seconds in writes and flushes, summed over the ranks of the record',
    COMMENT COLUMN STDIO_F_READ_TIME 'seconds in reads, summed over the ranks of the record',
    COMMENT COLUMN STDIO_F_OPEN_START_TIMESTAMP 'begin of the first open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_CLOSE_START_TIMESTAMP 'begin of the first close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_WRITE_START_TIMESTAMP 'begin of the first write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_READ_START_TIMESTAMP 'begin of the first read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_OPEN_END_TIMESTAMP 'end of the last open, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_CLOSE_END_TIMESTAMP 'end of the last close, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_WRITE_END_TIMESTAMP 'end of the last write, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_READ_END_TIMESTAMP 'end of the last read, seconds since the run''s start; 0: there was none',
    COMMENT COLUMN STDIO_F_FASTEST_RANK_TIME 'seconds that STDIO_FASTEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN STDIO_F_SLOWEST_RANK_TIME 'seconds that STDIO_SLOWEST_RANK spent in reads, writes and metadata',
    COMMENT COLUMN STDIO_F_VARIANCE_RANK_TIME 'of a record of all ranks (-1): variance of their times in reads, writes and metadata, seconds squared',
    COMMENT COLUMN STDIO_F_VARIANCE_RANK_BYTES 'of a record of all ranks (-1): variance of the bytes that each read and wrote, bytes squared';

ALTER TABLE dead_letters_open
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN id 'hash of cluster, source and place',
    COMMENT COLUMN source 'darshan, scheduler, devices, or what else sent it',
    COMMENT COLUMN reason 'why it was refused',
    COMMENT COLUMN topic 'of the message',
    COMMENT COLUMN `partition` 'of the topic',
    COMMENT COLUMN `offset` 'of the message in its partition',
    COMMENT COLUMN file 'in which it stood',
    COMMENT COLUMN position 'in the file: line or byte',
    COMMENT COLUMN `bytes` 'the first 64 KiB',
    COMMENT COLUMN `time` 'when it was refused',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written',
    COMMENT COLUMN key 'of the message; empty where it has none',
    COMMENT COLUMN messages 'refused messages that the row stands for (1)';

ALTER TABLE deliveries
    COMMENT COLUMN channels 'of each channel: its name, the address to which it sends, what became of it, the answer of a refusal';

ALTER TABLE job_live_rates
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN job_id 'the integer that the job sees',
    COMMENT COLUMN array_index 'of a task of an array',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN target 'OST or MDT',
    COMMENT COLUMN job_key 'jobid_name as the server has it (a job has several where that names the node)',
    COMMENT COLUMN `time` 'of the later look',
    COMMENT COLUMN seconds 'between the look before and this one',
    COMMENT COLUMN reads_per_second 'read requests between the two looks',
    COMMENT COLUMN writes_per_second 'write requests between the two looks',
    COMMENT COLUMN bytes_read_per_second 'bytes read between the two looks',
    COMMENT COLUMN bytes_written_per_second 'bytes written between the two looks',
    COMMENT COLUMN other_operations_per_second 'requests of metadata between the two looks',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE target_live_rates
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN target 'OST or MDT',
    COMMENT COLUMN `time` 'of the later look',
    COMMENT COLUMN seconds 'between the look before and this one',
    COMMENT COLUMN reads_per_second 'read requests between the two looks',
    COMMENT COLUMN writes_per_second 'write requests between the two looks',
    COMMENT COLUMN bytes_read_per_second 'bytes read between the two looks',
    COMMENT COLUMN bytes_written_per_second 'bytes written between the two looks',
    COMMENT COLUMN other_operations_per_second 'requests of metadata between the two looks, without those that keep connections up',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE days_with_totals
    COMMENT COLUMN `table` 'as in days_of_totals',
    COMMENT COLUMN `day` 'as in days_of_totals',
    COMMENT COLUMN landed_at 'when a row of the day was last written',
    COMMENT COLUMN built_at 'when its totals were last worked out; 1970 where they never were',
    COMMENT COLUMN is_current '1: nothing landed since, nor in the ten minutes before, so that its totals are read';

ALTER TABLE months_with_totals
    COMMENT COLUMN `table` 'as in days_of_totals',
    COMMENT COLUMN `month` 'its first day',
    COMMENT COLUMN days_are_current '1: the totals of all of its days are read',
    COMMENT COLUMN built_at 'when its totals were last worked out; 1970 where they never were',
    COMMENT COLUMN is_current '1: its days are current, and its totals younger than theirs, so that they are read';

ALTER TABLE alert_controls MODIFY COMMENT 'What a user wants of messages: a mute, to have messages or none, or that one is wrong.';

ALTER TABLE alerts MODIFY COMMENT 'A message that was decided, or held back, and why.';

ALTER TABLE alerts_since MODIFY COMMENT 'A row of alerts decided at or after a time, without comparing all older ones.';

ALTER TABLE cases MODIFY COMMENT 'A cause of lost time in a program of a user, which messages name until it is fixed.';

ALTER TABLE cases_since MODIFY COMMENT 'A row of cases that changed at or after a time, without comparing all older ones.';

ALTER TABLE daos_records MODIFY COMMENT 'What Darshan counted of an object in DAOS in one run, by one rank or by all (rank -1).';

ALTER TABLE days_of_totals MODIFY COMMENT 'A day of a table whose totals are worked out, in parts: days_with_totals adds them up.';

ALTER TABLE days_with_totals MODIFY COMMENT 'A day of a table whose totals are worked out, and whether they are read.';

ALTER TABLE dead_letters MODIFY COMMENT 'Something that could not be read, with the reason and the place.';

ALTER TABLE dead_letters_open MODIFY COMMENT 'A row of dead_letters that nothing has made up for: of a Darshan log, no log of that file name came since.';

ALTER TABLE deliveries MODIFY COMMENT 'How far a message has got to a recipient.';

ALTER TABLE deliveries_since MODIFY COMMENT 'A row of deliveries that reached its state at or after a time, without comparing all older ones.';

ALTER TABLE device_load MODIFY COMMENT 'What a block device did in a bucket of some seconds.';

ALTER TABLE device_load_hourly MODIFY COMMENT 'What a block device did in an hour.';

ALTER TABLE device_samples MODIFY COMMENT 'A sample of a block device: what it did in the interval that ends at time, or had counted since boot (cumulative).';

ALTER TABLE device_totals MODIFY COMMENT 'An hour of a block device in a range, or its hours of a whole day of it.';

ALTER TABLE dfs_records MODIFY COMMENT 'What Darshan counted of a file in DAOS'' file system (DFS) in one run, by one rank or by all (rank -1).';

ALTER TABLE file_records MODIFY COMMENT 'What one run did to a file through POSIX or STDIO, by one rank or by all (rank -1).';

ALTER TABLE filesystem_load MODIFY COMMENT 'What the devices of a file system did together in a bucket of some seconds.';

ALTER TABLE filesystem_load_hourly MODIFY COMMENT 'What the devices of a file system did together in an hour.';

ALTER TABLE finding_totals MODIFY COMMENT 'A finding of a range, or the findings of a whole day of it that are alike in user, project, file system, program and rule.';

ALTER TABLE findings MODIFY COMMENT 'A rule that holds for a run, or for a job as a whole (log_id empty).';

ALTER TABLE h5d_records MODIFY COMMENT 'What Darshan counted of a dataset of HDF5 in one run, by one rank or by all (rank -1).';

ALTER TABLE h5f_records MODIFY COMMENT 'What Darshan counted of a file of HDF5 in one run, by one rank or by all (rank -1).';

ALTER TABLE heatmap_bins MODIFY COMMENT 'Bytes that a rank of a run moved through one interface in one bin of time; bins without bytes are not there.';

ALTER TABLE job_live MODIFY COMMENT 'What a storage target had counted of a running job until one look (Lustre''s job_stats).';

ALTER TABLE job_live_rates MODIFY COMMENT 'What a job did on a storage target between two looks; without intervals in which a count fell.';

ALTER TABLE job_manifests MODIFY COMMENT 'Which logs a job left, as of the last look into the log directory.';

ALTER TABLE job_results MODIFY COMMENT 'What the analysis says of a job: its runs together, and whether anything is still awaited.';

ALTER TABLE job_totals MODIFY COMMENT 'A job of a range, or the jobs of a whole day of it that are alike in user, project, state and coverage.';

ALTER TABLE landings MODIFY COMMENT 'An insert into a table, with the delay of the pipeline.';

ALTER TABLE landings_hourly MODIFY COMMENT 'Inserts into a table in an hour, in parts: add up, or merge, by hour.';

ALTER TABLE log_modules MODIFY COMMENT 'How far a module of a Darshan log could be read.';

ALTER TABLE lustre_stripes MODIFY COMMENT 'A stripe of a component of a file''s layout on Lustre, as a process of a run saw it.';

ALTER TABLE message_effects MODIFY COMMENT 'What runs of a program lost before and after the first message about it.';

ALTER TABLE months_of_totals MODIFY COMMENT 'A month of a table whose totals are worked out, in parts: months_with_totals adds them up.';

ALTER TABLE months_with_totals MODIFY COMMENT 'A month of a table whose totals are worked out, and whether they are read.';

ALTER TABLE mpiio_records MODIFY COMMENT 'What Darshan counted of a file in MPI-IO in one run, by one rank or by all (rank -1).';

ALTER TABLE pipeline_metrics MODIFY COMMENT 'A measurement of the pipeline itself.';

ALTER TABLE pipeline_metrics_hourly MODIFY COMMENT 'The highest value of a measurement of the pipeline in an hour, in parts: take the maximum by hour.';

ALTER TABLE pipeline_restarts MODIFY COMMENT 'A part of the pipeline that failed or was started again, and why.';

ALTER TABLE pnetcdf_file_records MODIFY COMMENT 'What Darshan counted of a file of PnetCDF in one run, by one rank or by all (rank -1).';

ALTER TABLE pnetcdf_var_records MODIFY COMMENT 'What Darshan counted of a variable of PnetCDF in one run, by one rank or by all (rank -1).';

ALTER TABLE posix_records MODIFY COMMENT 'What Darshan counted of a file in POSIX in one run, by one rank or by all (rank -1).';

ALTER TABLE producer_ledger MODIFY COMMENT 'How many messages of a kind a producer says it has sent.';

ALTER TABLE report_words MODIFY COMMENT 'What a finding means, or what an advice says to change, in the words of reports.';

ALTER TABLE run_io_months MODIFY COMMENT 'As in run_io_totals, where the runs of a whole month of the range are one row, too.';

ALTER TABLE run_io_totals MODIFY COMMENT 'A run of a range, or the runs of a whole day of it that are alike in user, project, file system, program and how they do their I/O.';

ALTER TABLE run_totals MODIFY COMMENT 'A run of a range, or the runs of a whole day of it that are alike in user, project, file system, program, join and verdict.';

ALTER TABLE runs MODIFY COMMENT 'A run: one Darshan log, with its performance, its job, the load beside it and the verdict. "Listed" is on a file system that the site lists.';

ALTER TABLE scheduler_jobs MODIFY COMMENT 'A job as the scheduler has it, in its newest state.';

ALTER TABLE server_load MODIFY COMMENT 'What the devices of a storage server did together in a bucket of some seconds.';

ALTER TABLE server_load_hourly MODIFY COMMENT 'What the devices of a storage server did together in an hour.';

ALTER TABLE stdio_records MODIFY COMMENT 'What Darshan counted of a file in STDIO in one run, by one rank or by all (rank -1).';

ALTER TABLE storage_events MODIFY COMMENT 'A trouble of a server, a device or a file system: silent, hot or saturated, and until when.';

ALTER TABLE superseded_logs MODIFY COMMENT 'A log that a later one of the same file replaced; its records are not shown.';

ALTER TABLE target_io_sizes MODIFY COMMENT 'Sizes of the disk I/O that a storage target had counted until one look, in bins.';

ALTER TABLE target_live MODIFY COMMENT 'What a storage target had counted until one look.';

ALTER TABLE target_live_rates MODIFY COMMENT 'What a storage target did between two looks; without intervals in which a count fell.';

ALTER TABLE target_totals MODIFY COMMENT 'A run of a range that met a slow, contended or overloaded target, or such runs of a whole day of it that are alike in target and user.';

ALTER TABLE times_of_files MODIFY COMMENT 'When a run with a record of a file began: where to look for it in posix_records and stdio_records.';

ALTER TABLE times_of_ids MODIFY COMMENT 'When what an id names began: where to look for it in tables that are sorted by time.';
