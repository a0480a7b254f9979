package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rollcall/models"
)

// ruled is from when on the rules of zone hold. Earlier times are written in UTC.
var ruled = time.Date(2007, 3, 11, 7, 0, 0, 0, time.UTC)

// zone is America/New_York by the rules of 2007 (RFC 5545, section 3.6.5). Calendar programs need the
// definition beside each reference to it.
const zone = "BEGIN:VTIMEZONE\r\nTZID:America/New_York\r\n" +
	"BEGIN:DAYLIGHT\r\nDTSTART:20070311T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nTZNAME:EDT\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\nEND:DAYLIGHT\r\n" +
	"BEGIN:STANDARD\r\nDTSTART:20071104T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nTZNAME:EST\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\nEND:STANDARD\r\n" +
	"END:VTIMEZONE\r\n"

// lagNote is part of every calendar (SPEC.md, What the service does): a hearing may have moved since.
const lagNote = "Hearings come from the clerk's office and can lag by up to 24 hours. Confirm with the court before relying on them."

// courts are the kinds of court as a reader calls them.
var courts = map[models.CourtType]string{
	models.StateCourt: "State Court", models.SuperiorCourt: "Superior Court", models.MagistrateCourt: "Magistrate Court", models.WarrantsCourt: "Warrants",
}

// Write returns the iCalendar of a case with its hearings. The same facts give the same bytes, so that an ETag
// of them is stable: nothing of it depends on the clock.
func Write(c *models.CourtCase, events []models.CalendarEvent) []byte {
	w := &writer{}
	place := courts[c.CourtType] + " of " + c.County.Name + " County"
	w.line("BEGIN:VCALENDAR")
	w.line("VERSION:2.0")
	w.line("PRODID:-//rollcall//hearings//EN")
	w.line("CALSCALE:GREGORIAN")
	w.text("X-WR-CALNAME", "Hearings of "+c.CaseNumber+", "+place)
	w.text("X-WR-CALDESC", lagNote)
	w.line("X-WR-TIMEZONE:America/New_York")
	w.line("REFRESH-INTERVAL;VALUE=DURATION:PT1H")
	w.line("X-PUBLISHED-TTL:PT1H")
	w.b = append(w.b, zone...)
	for i := range events {
		w.event(c, place, &events[i])
	}
	w.line("END:VCALENDAR")
	return w.b
}

// writer appends content lines (RFC 5545, section 3.1).
type writer struct{ b []byte }

// event writes one hearing. A cancelled hearing stays in the calendar with its status: a program that has it
// already would keep showing it otherwise.
func (w *writer) event(c *models.CourtCase, place string, e *models.CalendarEvent) {
	w.line("BEGIN:VEVENT")
	w.line("UID:" + uid(c, e))
	w.line("DTSTAMP:" + utc(e.Changed))
	w.line("LAST-MODIFIED:" + utc(e.Changed))
	w.line("SEQUENCE:" + strconv.Itoa(e.Revision))
	// How long a hearing takes is not known: an end would be invented.
	switch {
	case e.WholeDay:
		w.line("DTSTART;VALUE=DATE:" + e.StartsAt.Format("20060102"))
	case e.StartsAt.Before(ruled):
		w.line("DTSTART:" + utc(e.StartsAt))
	default:
		w.line("DTSTART;TZID=America/New_York:" + e.StartsAt.Format("20060102T150405"))
	}
	kind := "Hearing"
	if e.Kind != nil {
		kind = *e.Kind
	}
	if e.Cancelled {
		w.text("SUMMARY", "Cancelled: "+kind+", "+c.CaseNumber)
		w.line("STATUS:CANCELLED")
	} else {
		w.text("SUMMARY", kind+", "+c.CaseNumber)
		w.line("STATUS:CONFIRMED")
	}
	about := []string{place, "Defendant: " + c.Defendant}
	if e.Judge != nil {
		about = append(about, "Judge: "+*e.Judge)
	}
	if e.WholeDay {
		about = append(about, "The court states no time.")
	}
	if e.Location != nil {
		w.text("LOCATION", *e.Location)
	}
	if e.Link != nil {
		about = append(about, "Virtual hearing: "+*e.Link)
		if address, ok := web(*e.Link); ok {
			w.line("URL:" + address)
		}
	}
	w.text("DESCRIPTION", strings.Join(append(about, lagNote), "\n"))
	w.line("END:VEVENT")
}

// uid is the same for a hearing as long as the court keeps its number, whichever server answers. Programs
// update an event by it.
func uid(c *models.CourtCase, e *models.CalendarEvent) string {
	sum := sha256.Sum256([]byte(c.ID() + "\x00" + e.Event))
	return hex.EncodeToString(sum[:16]) + "@hearings.rollcall"
}

// utc formats an instant in UTC.
func utc(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// web returns a link as the value of a URI. ok is false for a text that is no address of the web, such as a
// meeting id.
func web(link string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return "", false
	}
	u.RawQuery = escaped(u.RawQuery)
	return u.String(), true
}

// escaped replaces the characters of a query that an address may not have; what is escaped already stays.
// Clerks paste case numbers with blanks into links.
func escaped(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// text writes a property whose value is TEXT (RFC 5545, section 3.3.11): escaped, and without control
// characters. A value from a court must not begin a line of its own, where it would be read as another
// property.
func (w *writer) text(name, value string) {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte(':')
	for _, r := range strings.ReplaceAll(value, "\r\n", "\n") {
		switch {
		case r == '\\' || r == ';' || r == ',':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n' || r == '\r':
			b.WriteString(`\n`)
		case r < ' ' && r != '\t' || r == 0x7f:
		default:
			b.WriteRune(r)
		}
	}
	w.line(b.String())
}

// folded is the longest line in octets, without its end (RFC 5545, section 3.1).
const folded = 75

// line writes a content line and folds it between characters, never within one.
func (w *writer) line(s string) {
	room := folded
	for len(s) > room {
		cut := room
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		w.b = append(append(w.b, s[:cut]...), "\r\n "...)
		s, room = s[cut:], folded-1
	}
	w.b = append(append(w.b, s...), "\r\n"...)
}
