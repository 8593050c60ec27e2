"""What runs at a center's nodes and servers: shipping of logs, scheduler records, device samples."""
