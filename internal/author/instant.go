package author

import (
	"fmt"
	"time"
)

// Instant is a time on the command line. It takes no bare day, because a snapshot is of a minute. The zero value is a flag that
// was not given.
type Instant time.Time

// UnmarshalText reads RFC 3339 with an offset.
func (i *Instant) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return fmt.Errorf("%.40q is not a time like 2026-03-08T06:30:00-05:00 or 2026-03-08T11:30:00Z", text)
	}
	*i = Instant(t)
	return nil
}
