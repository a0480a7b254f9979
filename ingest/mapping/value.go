package mapping

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rollcall/models"
)

// maxText bounds a mapped text in bytes; longer ones are no fact but a broken row.
const maxText = 4000

// Civil gives the instant of a wall clock in Georgia: of an hour that happens twice (November) the
// first, and an hour that is left out (March) moved forward (DECISIONS.md "Dates, times").
func Civil(year int, month time.Month, day, hour, minute, second, nano int) time.Time {
	wall := time.Date(year, month, day, hour, minute, second, nano, time.UTC)
	_, before := wall.Add(-24 * time.Hour).In(models.Georgia).Zone()
	_, after := wall.Add(24 * time.Hour).In(models.Georgia).Zone()
	first := wall.Add(-time.Duration(before) * time.Second)
	if before == after {
		return first.In(models.Georgia)
	}
	// A change is near. Under the offset from before it the hour that is left out falls behind the
	// change, one hour on, and the hour that happens twice is its first.
	for _, offset := range []int{before, after} {
		t := wall.Add(-time.Duration(offset) * time.Second).In(models.Georgia)
		if _, is := t.Zone(); is == offset {
			return t
		}
	}
	return first.In(models.Georgia)
}

// again gives the second instant of a wall clock in Georgia that happens twice (November), and nothing for any other.
func again(t time.Time) (second time.Time, twice bool) {
	second = t.In(models.Georgia).Add(time.Hour)
	return second, second.Hour() == t.In(models.Georgia).Hour()
}

// layout is one way to write a time, taken apart once.
type layout struct {
	text  string
	zoned bool // names its offset: an instant, not a wall clock
	clock bool // names the time of day
	day   bool // names the day, not only the year
	short bool // writes the year with two digits
	blind bool // names no year, so that no day can be read by it: a mistake of the document
}

func newLayout(text string) layout {
	l := layout{
		text:  text,
		zoned: strings.Contains(text, "Z07") || strings.Contains(text, "-07"),
	}
	a, b := time.Date(2016, 11, 23, 0, 0, 0, 0, time.UTC), time.Date(2017, 11, 23, 0, 0, 0, 0, time.UTC)
	if a.Format(text) == b.Format(text) {
		l.blind = true
	}
	l.short = strings.Contains(strings.ReplaceAll(text, "2006", ""), "06")
	l.day = a.Format(text) != a.AddDate(0, 0, 1).Format(text)
	l.clock = a.Format(text) != a.Add(13*time.Hour).Format(text)
	return l
}

// moment is a time as a source wrote it.
type moment struct {
	at    time.Time
	wall  bool // a wall clock of Georgia: no offset was named
	clock bool
	day   bool
	short bool
}

// parse reads text by the first layout that fits. Years that only sentinels use (before 1901, after
// 2999) give none. What only a layout without a year fits is no date.
func parse(layouts []layout, text string) (m moment, none bool, err error) {
	blind := ""
	for _, l := range layouts {
		t, perr := time.Parse(l.text, text)
		if perr != nil {
			continue
		}
		if l.blind {
			blind = l.text
			continue
		}
		if t.Year() <= 1900 || t.Year() >= 3000 {
			return moment{}, true, nil
		}
		zone, _ := t.Zone()
		wall := !l.zoned && zone != "GMT" && (zone != "UTC" || !strings.Contains(l.text, "MST") || !strings.Contains(text, "UTC"))
		if wall {
			y, mo, d := t.Date()
			t = Civil(y, mo, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
		}
		return moment{at: t, wall: wall, clock: l.clock, day: l.day, short: l.short}, false, nil
	}
	if blind != "" {
		return moment{}, false, fmt.Errorf("names no year though layout %q matches", blind)
	}
	names := make([]string, len(layouts))
	for i, l := range layouts {
		names[i] = strconv.Quote(l.text)
	}
	if len(names) == 1 {
		return moment{}, false, fmt.Errorf("layout %s does not match", names[0])
	}
	return moment{}, false, fmt.Errorf("none of the layouts %s matches", strings.Join(names, ", "))
}

// parseClock reads a time of day.
func parseClock(layout, text string) (time.Time, error) {
	if strings.Contains(layout, "PM") {
		text = strings.ToUpper(text)
	}
	return time.Parse(layout, text)
}

// wellFormed tells whether a text can be stored at all.
func wellFormed(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "is not in the character set of the source"
	case strings.IndexByte(s, 0) >= 0:
		return "holds a NUL byte"
	case len(s) > maxText:
		return fmt.Sprintf("is longer than %d bytes", maxText)
	}
	return ""
}
