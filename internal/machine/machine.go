// Package machine measures what this process uses of the machine, for benchmarks. A value that the system does
// not provide is 0, never an error: a benchmark runs anywhere and shows what it can.
package machine

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

// PerSecond returns n divided by d in seconds; 0 where the time is not known.
func PerSecond(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// ForgetPeak gives back to the system what the process no longer uses, and begins PeakMiB anew where the system
// can (Linux). Elsewhere the peak is that of the process so far.
func ForgetPeak() {
	debug.FreeOSMemory()
	// 5 resets the high-water mark: proc_pid_clear_refs(5).
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// PeakMiB returns the greatest resident memory of this process since ForgetPeak, in MiB.
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
