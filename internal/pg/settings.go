package pg

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

const mb = 1 << 20

// arguments returns the flags of the command postgres, in a stable order. The machine's settings come first,
// then those of tests, then the caller's. Those that say who may connect come last and cannot be overridden.
func arguments(o Options, b binaries, cluster, socketDir string) []string {
	settings := settingsFor(memory())
	if o.Fast {
		maps.Copy(settings, fastSettings())
	}
	settings["timezone"] = zone(b)
	settings["log_timezone"] = settings["timezone"]
	maps.Copy(settings, o.Settings)
	// There is no network, and the socket is in a directory that is closed to other users. So the socket itself
	// may be open to all.
	settings["listen_addresses"] = ""
	settings["unix_socket_directories"] = socketDir
	settings["unix_socket_permissions"] = "0777"
	settings["port"] = "5432"

	args := []string{"-D", cluster}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}

// settingsFor sizes the server for a machine with so many bytes of memory that also runs rollcall itself. The
// log of the server holds no values of rows, since names of people must not reach a log.
func settingsFor(memory int64) map[string]string {
	small := memory < 4<<30
	s := map[string]string{
		// A quarter of the memory, as PostgreSQL's manual advises; the rest is for rollcall and the system's
		// cache.
		"shared_buffers":       megabytes(min(max(memory/4, 128*mb), 4096*mb)),
		"effective_cache_size": megabytes(max(memory/2, 256*mb)),
		"maintenance_work_mem": megabytes(min(max(memory/16, 64*mb), 1024*mb)),
		// Each sort or hash of a statement may take this much, and several connections work at once.
		"work_mem": "16MB",
		// For a bulk load, which is slow when it stops for checkpoints. The owner shortens the log afterwards
		// (wal.go). Files of the log are deleted then: recycled ones would stay for as long as loads are rare.
		"max_wal_size": "4GB",
		"min_wal_size": "32MB",
		"wal_recycle":  "off",
		// Enough for the pools of serve and work, and for commands beside them.
		"max_connections":              "200",
		"checkpoint_timeout":           "15min",
		"checkpoint_completion_target": "0.9",
		// Disks are taken to be solid-state: reading by an index costs hardly more than reading in order.
		"random_page_cost": "1.1",
		// Nearly all statements take less time than their compilation would.
		"jit": "off",
		// The log holds no row values: no statements, no parameters, no "Key (name)=(...)" details.
		"log_min_messages":                  "warning",
		"log_min_error_statement":           "panic",
		"log_error_verbosity":               "terse",
		"log_parameter_max_length_on_error": "0",
		"log_checkpoints":                   "off",
		"logging_collector":                 "off",
	}
	if small {
		s["work_mem"] = "4MB"
		s["max_wal_size"] = "1GB"
	}
	return s
}

// fastSettings give up durability and keep each of many clusters on one machine small.
func fastSettings() map[string]string {
	return map[string]string{
		"fsync":                "off",
		"full_page_writes":     "off",
		"synchronous_commit":   "off",
		"wal_level":            "minimal",
		"max_wal_senders":      "0",
		"shared_buffers":       "64MB",
		"effective_cache_size": "1GB",
		"maintenance_work_mem": "64MB",
		"work_mem":             "8MB",
		"max_wal_size":         "1GB",
		// Plans depend on statistics; in a test they change when the test says ANALYZE and not in between.
		"autovacuum": "off",
	}
}

// megabytes formats bytes as PostgreSQL reads a size.
func megabytes(bytes int64) string { return strconv.FormatInt(bytes/mb, 10) + "MB" }

// zone returns UTC, or its other name GMT when there are no time zone files. Debian's PostgreSQL looks for them
// in the system, and small containers lack them; GMT is built into the server.
func zone(b binaries) string {
	for _, file := range []string{"/usr/share/zoneinfo/UTC", filepath.Join(b.dir, "../share/postgresql/timezone/UTC")} {
		if _, err := os.Stat(file); err == nil {
			return "UTC"
		}
	}
	return "GMT"
}
