package web

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
)

// hearingLength is what a calendar shows for a hearing, whose end no court publishes.
const hearingLength = time.Hour

// calendar answers with the hearings of a case as iCalendar (RFC 5545).
func (s *Site) calendar(v *visit) error {
	if v.Account.Plan != models.Enterprise {
		return &models.Error{Code: models.CodeForbidden, Message: "records need the Enterprise plan"}
	}
	ctx := v.r.Context()
	c, err := s.Store.CourtCaseByID(ctx, chi.URLParam(v.r, "id"))
	if err != nil {
		return err
	}
	hearings, err := s.Store.HearingsOf(ctx, []int64{c.Key})
	if err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="hearings.ics"`)
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	v.w.Write(iCalendar(c, hearings[c.Key], s.Now(), s.Root))
	return nil
}

func iCalendar(c *models.CourtCase, hearings []*models.Hearing, now time.Time, root string) []byte {
	var b strings.Builder
	line := func(name, value string) { foldLine(&b, name+":"+value) }
	line("BEGIN", "VCALENDAR")
	line("VERSION", "2.0")
	line("PRODID", "-//rollcall//hearings//EN")
	for i, h := range hearings {
		line("BEGIN", "VEVENT")
		line("UID", fmt.Sprintf("%s-%d@rollcall", c.ID(), i))
		line("DTSTAMP", now.UTC().Format("20060102T150405Z"))
		if h.Time == nil { // a whole day: no time is invented
			line("DTSTART;VALUE=DATE", h.StartsAt.In(models.Georgia).Format("20060102"))
		} else {
			line("DTSTART", h.StartsAt.UTC().Format("20060102T150405Z"))
			line("DTEND", h.StartsAt.Add(hearingLength).UTC().Format("20060102T150405Z"))
		}
		line("SUMMARY", escapeText("Hearing "+c.CaseNumber+": "+c.Defendant))
		if h.Location != nil {
			line("LOCATION", escapeText(*h.Location))
		}
		about := []string{c.Offense, c.County.Name + " County"}
		if h.Judge != nil {
			about = append(about, "Judge "+*h.Judge)
		}
		if h.ZoomLink != nil {
			about = append(about, *h.ZoomLink)
		}
		line("DESCRIPTION", escapeText(strings.Join(append(about, "Courts change their calendars; check with the clerk."), "\n")))
		line("URL", root+"/cases/"+c.ID())
		line("END", "VEVENT")
	}
	line("END", "VCALENDAR")
	return []byte(b.String())
}

// escapeText writes a TEXT value (RFC 5545, 3.3.11).
func escapeText(s string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`).Replace(s)
}

// foldLine writes a content line in pieces of at most 75 bytes (RFC 5545, 3.1), never within a character.
func foldLine(b *strings.Builder, s string) {
	for limit := 75; len(s) > limit; limit = 74 {
		cut := limit
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		b.WriteString(s[:cut] + "\r\n ")
		s = s[cut:]
	}
	b.WriteString(s + "\r\n")
}
