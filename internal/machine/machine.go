// Package machine measures what this process uses of the machine, for benchmarks. A value that the system does
// not provide is 0, never an error: a benchmark runs anywhere and shows what it can.
package machine

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// PerSecond returns n divided by d in seconds; 0 where the time is not known.
func PerSecond(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// PeakMiB returns the greatest resident memory of this process so far, in MiB. It never falls, so one process
// can measure only its worst step.
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

// LoadAverage returns the load of the whole machine over the last minute. A figure beside a high load is worth
// less.
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
