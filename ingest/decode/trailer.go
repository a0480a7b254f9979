package decode

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"rollcall/ingest/document"
)

// Lined reports whether the format is one of lines, where Total is a regular expression.
func (f Format) Lined() bool { return f == CSV || f == TSV || f == Fixed || f == Tagged }

// checkTotal notes a Total of a text format that cannot find a line and its number.
func (s *Spec) checkTotal(path string, problems *document.Problems) {
	if s.Total == "" || !s.Format.Lined() {
		return
	}
	at := document.At(path, "total")
	re, err := regexp.Compile(s.Total)
	switch {
	case err != nil:
		problems.Add(at, "%q is not a regular expression; for format %s it finds the number in the last line: '^#END (\\d+)'", s.Total, s.Format)
	case re.NumSubexp() != 1:
		problems.Add(at, "%q has %d groups and needs one, the number: '^#END (\\d+)'", s.Total, re.NumSubexp())
	case !strings.HasPrefix(s.Total, "^"):
		problems.Add(at, "%q must begin with ^, the beginning of the line, or a row could be taken for the total", s.Total)
	}
}

// trailer wraps yield so that the line with the declared number is no row. Only the last line of a file
// declares it: rows after it show that the file goes on. end notes what was found. Of several files in one
// archive the numbers are added.
func (s *Spec) trailer(facts *Facts, yield func(*Record) error) (each func(*Record) error, end func(), err error) {
	if s.Total == "" || !s.Format.Lined() {
		return yield, func() {}, nil
	}
	pattern, err := regexp.Compile(s.Total)
	if err != nil {
		return nil, nil, fmt.Errorf("read decode.total: %w", err)
	}
	var declared *int
	each = func(rec *Record) error {
		raw := rec.Raw()
		marker := s.EndMarker != "" && strings.HasPrefix(raw, s.EndMarker)
		found := pattern.FindStringSubmatch(strings.TrimPrefix(raw, "\ufeff"))
		if found != nil {
			declared = nil
			if n, err := strconv.Atoi(found[1]); err == nil && n >= 0 {
				declared = &n
			}
			if !marker {
				return nil
			}
		}
		if !marker {
			declared = nil
			facts.Lines++
		}
		return yield(rec)
	}
	end = func() {
		if declared == nil {
			return
		}
		sum := *declared
		if facts.Total != nil { // of the files of one archive
			sum += *facts.Total
		}
		facts.Total = &sum
	}
	return each, end, nil
}
