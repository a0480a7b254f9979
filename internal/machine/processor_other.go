//go:build !unix

package machine

import "time"

// ProcessorTime is not known on this system.
func ProcessorTime() time.Duration { return 0 }
