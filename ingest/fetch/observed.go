package fetch

import (
	"fmt"
	"path"
	"regexp"
	"time"

	"rollcall/models"
)

// Stem is the name of a file without the instant that it states; all of the name if it states none. Files of
// one stem are copies of one list.
func (o Observed) Stem(name string) string {
	name = path.Base(name)
	re, err := regexp.Compile(o.Regex)
	if o.Regex == "" || err != nil {
		return name
	}
	m := re.FindStringSubmatchIndex(name)
	if len(m) < 4 || m[2] < 0 {
		return name
	}
	return name[:m[2]] + name[m[3]:]
}

// At reads the instant that a file speaks of from its name, a civil time of Georgia. ok is false for names
// that hold none.
func (o Observed) At(name string) (at time.Time, ok bool, err error) {
	if o.Regex == "" {
		return time.Time{}, false, nil
	}
	re, err := regexp.Compile(o.Regex)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read time of file name: %w", err)
	}
	m := re.FindStringSubmatch(path.Base(name))
	if len(m) < 2 {
		return time.Time{}, false, nil
	}
	at, err = time.ParseInLocation(o.Layout, m[1], models.Georgia)
	if err != nil {
		return time.Time{}, false, nil //nolint:nilerr // a name without a time is no mistake
	}
	return at, true, nil
}

// CountyOf returns what the name of a file says of the county of its rows, in whatever spelling; empty: nothing.
func (s *Spec) CountyOf(name string) string {
	re, err := regexp.Compile(s.County)
	if s.County == "" || err != nil {
		return ""
	}
	m := re.FindStringSubmatch(path.Base(name))
	if len(m) < 2 {
		return ""
	}
	return m[1]
}
