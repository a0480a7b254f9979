//go:build !linux

package testdb

import "os"

// parentDir is where test clusters live.
func parentDir() string { return os.TempDir() }
