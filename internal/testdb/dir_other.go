//go:build !linux

package testdb

import "os"

// parentDir returns where test clusters are.
func parentDir() string { return os.TempDir() }
