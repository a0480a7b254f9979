package watchlist

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// Mark begins a file of UTF-8 that a spreadsheet is to open: without it some read accents as other letters. Read takes it.
const Mark = "\ufeff"

// Write writes the watchers that each passes as a list that Read reads.
func Write(to io.Writer, each func(see func(*models.Watcher) error) error) error {
	return table(to, written, each, func(a *models.Watcher) []string {
		kinds := make([]string, len(a.Events))
		for i, k := range a.Events {
			kinds[i] = string(k)
		}
		return []string{
			a.Name, slug(a.County), day(a.Dob), number(a.BirthYear), number(a.Age), day(a.AgeOn),
			string(a.Level), strings.Join(kinds, " "), text(a.Label), text(a.Note), yes(a.Paused),
		}
	})
}

// table writes titles and a line for each T.
func table[T any](to io.Writer, titles []string, each func(see func(T) error) error, line func(T) []string) error {
	w := csv.NewWriter(to)
	if err := w.Write(titles); err != nil {
		return err
	}
	if err := each(func(v T) error { return w.Write(harmlessAll(line(v))) }); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// trailTitles are the columns of an account's trail.
var trailTitles = []string{"at", "actor", "action", "subject"}

// WriteTrail writes the entries of a trail that each passes.
func WriteTrail(to io.Writer, each func(see func(*models.AccountEvent) error) error) error {
	return table(to, trailTitles, each, func(e *models.AccountEvent) []string {
		return []string{e.At.UTC().Format(time.RFC3339), e.Actor, e.Action, e.Subject}
	})
}

// hitTitles are the columns of a list of hits. It is for people and spreadsheets; nothing reads it back.
var hitTitles = []string{
	"alert_id", "alert_name", "label", "hit_id", "at", "probability", "reasons", "verdict", "record_id", "name", "dob", "birth_year", "county", "booked_at",
	"event", "charges", "bond",
}

// WriteHits writes the hits that each passes.
func WriteHits(to io.Writer, each func(see func(*models.FoundHit) error) error) error {
	return table(to, hitTitles, each, func(h *models.FoundHit) []string {
		bond := ""
		if h.BondCents != nil {
			bond = models.Cents(*h.BondCents).Decimal()
		}
		return []string{
			h.WatcherID, h.WatcherName, text(h.Label), h.ID, local(h.At), strconv.FormatFloat(h.Probability, 'f', 4, 64),
			strings.Join(h.Reasons, "; "), verdict(h.Feedback), h.RecordID, h.Name, day(h.Dob), number(h.BirthYear), slug(h.County), stated(h.BookedAt),
			string(h.Event), strings.Join(h.Charges, "; "), bond,
		}
	})
}

// local writes a time as Georgia's clocks show it, with its difference from UTC: so do all lists.
func local(t time.Time) string { return t.In(models.Georgia).Format(time.RFC3339) }

// stated writes a time that a jail stated, or the day alone where it stated no time.
func stated(t time.Time) string {
	if models.DayAlone(t) {
		return models.DateOf(t.In(models.Georgia)).String()
	}
	return local(t)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func day(d *models.Date) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func slug(c *models.County) string {
	if c == nil {
		return ""
	}
	return c.Slug
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

func verdict(f *models.HitFeedback) string {
	if f == nil {
		return ""
	}
	return string(*f)
}
