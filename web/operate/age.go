package operate

import (
	"time"

	"rollcall/web/words"
)

// moment returns a time as a page shows it: one within an hour to the second, as sources may be due every few seconds.
func moment(now time.Time, t any) words.Text {
	at, ok := words.Moment(t)
	if ok && now.Sub(at).Abs() < time.Hour {
		return words.Second(at)
	}
	return words.When(t)
}

// age returns the time since t in its largest unit, and in seconds below two minutes; nothing where t is nil.
func age(now time.Time, t any) words.Text {
	at, ok := words.Moment(t)
	if !ok {
		return nil
	}
	d := max(0, now.Sub(at))
	if d < 2*time.Minute {
		return words.T("{1 second|seconds}", int(d/time.Second))
	}
	return words.Span(d)
}
