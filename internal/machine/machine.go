// Package machine measures what this process uses of the machine, for benchmarks. What a system does not say is 0.
package machine

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// PerSecond is n in a second of this length; 0 where the time is not known.
func PerSecond(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// PeakMiB is the greatest resident memory of this process so far.
func PeakMiB() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	var kib int
	if _, err := fmt.Sscan(string(rest[:min(len(rest), 32)]), &kib); err != nil {
		return 0
	}
	return kib >> 10
}

// LoadAverage is the load of the whole machine over the last minute.
func LoadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err != nil {
		return 0
	}
	return load
}
