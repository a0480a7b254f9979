package sample

import (
	"fmt"

	"rollcall/ingest/decode"
	"rollcall/internal/plural"
)

// Unnamed returns a sentence on a sample whose name does not state its instant although names of the source do: pattern is
// what finds the instant in them.
func Unnamed(pattern, name string) []string {
	if pattern == "" {
		return nil
	}
	return []string{fmt.Sprintf("transport.observed: the name %q does not state the instant, so an ingest needs --at", name)}
}

// TotalDoubt returns why the number that a sample declares does not prove it whole; empty if it does, or if none is asked for.
// Text formats count rows, before they are grouped, and other formats records. asked is true of answers to requests: a page of
// a list declares the number of all pages.
func TotalDoubt(s *decode.Spec, f decode.Facts, asked bool) string {
	lined := s.Format.Lined()
	has := f.Rows
	if lined {
		has = f.Lines
	}
	switch {
	case s.Total == "":
		return ""
	case f.Total == nil && lined:
		return "decode.total: the last line of the sample does not match"
	case f.Total == nil:
		return fmt.Sprintf("decode.total: there is no number at %q in the sample", s.Total)
	case *f.Total != has && (lined || !asked):
		return fmt.Sprintf("decode.total: the sample declares %s and has %d", plural.Of(*f.Total, "row"), has)
	default:
		return ""
	}
}
