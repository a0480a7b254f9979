package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rollcall/models"
)

// maxText is the longest text of a field in bytes. A longer one is a broken row, not a fact.
const maxText = 4000

// Civil returns the instant of a wall clock in Georgia. An hour that happens twice (November) means the first, and an
// hour that is skipped (March) is moved forward (DECISIONS "Dates, times").
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

// Again returns the second instant of a wall clock in Georgia that happens twice (November). twice is false for all
// others.
func Again(t time.Time) (second time.Time, twice bool) {
	second = t.In(models.Georgia).Add(time.Hour)
	return second, second.Hour() == t.In(models.Georgia).Hour()
}

// Layout is one way to write a time, analysed once for a run and not for each row.
type Layout struct {
	// text is as Go's time package writes it.
	text string
	// zoned reports an offset: the layout states an instant and not a wall clock.
	zoned bool
	// clock reports a time of day.
	clock bool
	// day reports a day, and not only a year.
	day bool
	// short reports a year of two digits, so that the century is open.
	short bool
	// NoYear is set where the layout has no year. No date can be read by it: a mistake in the document.
	NoYear bool
}

// NewLayout analyses a layout by formatting two instants with it, rather than by parsing Go's layout language.
func NewLayout(text string) Layout {
	l := Layout{
		text:  text,
		zoned: strings.Contains(text, "Z07") || strings.Contains(text, "-07"),
	}
	a, b := time.Date(2016, 11, 23, 0, 0, 0, 0, time.UTC), time.Date(2017, 11, 23, 0, 0, 0, 0, time.UTC)
	if a.Format(text) == b.Format(text) {
		l.NoYear = true
	}
	l.short = strings.Contains(strings.ReplaceAll(text, "2006", ""), "06")
	l.day = a.Format(text) != a.AddDate(0, 0, 1).Format(text)
	l.clock = a.Format(text) != a.Add(13*time.Hour).Format(text)
	return l
}

// Moment is a time as a source wrote it.
type Moment struct {
	// At is the instant. A wall clock is read as one of Georgia.
	At time.Time
	// Wall reports that no offset was written: At was read as a wall clock.
	Wall bool
	// Clock reports that a time of day was written.
	Clock bool
	// Day reports that a day was written, and not only a year.
	Day bool
	// Short reports that the year was written with two digits.
	Short bool
}

// ParseTime reads text by the first layout that fits. Years that only placeholders use (before 1901, after 2999) are
// none. A text that fits only a layout without a year is an error, as is one that fits none; the errors name layouts,
// never the text, which may be a birth date.
func ParseTime(layouts []Layout, text string) (m Moment, none bool, err error) {
	blind := ""
	for _, l := range layouts {
		t, perr := time.Parse(l.text, text)
		if perr != nil {
			continue
		}
		if l.NoYear {
			blind = l.text
			continue
		}
		if t.Year() <= 1900 || t.Year() >= 3000 {
			return Moment{}, true, nil
		}
		zone, _ := t.Zone()
		wall := !l.zoned && zone != "GMT" && (zone != "UTC" || !strings.Contains(l.text, "MST") || !strings.Contains(text, "UTC"))
		if wall {
			y, mo, d := t.Date()
			t = Civil(y, mo, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
		}
		return Moment{At: t, Wall: wall, Clock: l.clock, Day: l.day, Short: l.short}, false, nil
	}
	if blind != "" {
		return Moment{}, false, fmt.Errorf("names no year though layout %q matches", blind)
	}
	names := make([]string, len(layouts))
	for i, l := range layouts {
		names[i] = strconv.Quote(l.text)
	}
	if len(names) == 1 {
		return Moment{}, false, fmt.Errorf("layout %s does not match", names[0])
	}
	return Moment{}, false, fmt.Errorf("none of the layouts %s matches", strings.Join(names, ", "))
}

// ParseClock reads a time of day. Sources mix "pm" and "PM"; Go reads the one that the layout has.
func ParseClock(layout, text string) (time.Time, error) {
	if strings.Contains(layout, "PM") {
		text = strings.ToUpper(text)
	}
	return time.Parse(layout, text)
}

// NoNumber is why a number is none by which a record can be known, in words for the end of a sentence.
const NoNumber = "holds a social security number, by which no record may be known"

// Malformed returns why a text cannot be stored, in words for the end of a sentence, or "" where it can be.
func Malformed(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "is not in the character set of the source (decode.charset, without it utf-8)"
	case strings.IndexByte(s, 0) >= 0:
		return "holds a NUL byte"
	case len(s) > maxText:
		return fmt.Sprintf("is longer than %d bytes", maxText)
	}
	return ""
}
