package record

import (
	"slices"
	"strconv"

	"rollcall/models"
	"rollcall/web/words"
)

// hearings are those of a case: those that lie ahead in their order, and past ones, the latest first.
type hearings struct{ Ahead, Past []hearing }

// Any reports whether there are any.
func (h hearings) Any() bool { return len(h.Ahead)+len(h.Past) > 0 }

// hearing is a hearing as the page shows it.
type hearing struct {
	*models.Hearing
	Past bool
}

// hearingsOf returns hearings, which come in the order of time, as they are seen on a day. One of that day lies ahead.
func hearingsOf(all []*models.Hearing, today models.Date) (h hearings) {
	for _, x := range all {
		if today.After(x.Date) {
			h.Past = append(h.Past, hearing{x, true})
		} else {
			h.Ahead = append(h.Ahead, hearing{x, false})
		}
	}
	slices.Reverse(h.Past)
	return h
}

// Clock is the time of day.
func (h hearing) Clock() words.Text {
	if h.Time == nil || *h.Time == "" {
		return words.T("time not stated")
	}
	return words.Clock(h.StartsAt)
}

// On is the day in words; Month, Day and Year are those of its leaf.
func (h hearing) On() words.Text    { return words.Day(h.Date) }
func (h hearing) Month() words.Text { return words.Month(h.Date) }
func (h hearing) Day() string       { return strconv.Itoa(h.Date.Day) }
func (h hearing) Year() string      { return strconv.Itoa(h.Date.Year) }

// Virtual is the address of a hearing that is one.
func (h hearing) Virtual() string { return outside(h.ZoomLink) }

// Place is where it is held, and Presides the judge; empty: not stated.
func (h hearing) Place() string    { return models.EmptyIfNil(h.Location) }
func (h hearing) Presides() string { return models.EmptyIfNil(h.Judge) }
