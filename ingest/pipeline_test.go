package ingest

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// BenchmarkCommonCSV takes rows of the common CSV through decode, map, normalise and validate on one
// core; rows/s is what to read.
func BenchmarkCommonCSV(b *testing.B) {
	sample, err := os.ReadFile("sources/common-csv/samples/clarke_2017-11-14_06-30-00.csv")
	require.NoError(b, err)
	header, rest, _ := strings.Cut(string(sample), "\n")
	good := strings.Join(strings.SplitAfter(rest, "\n")[:3], "")
	const rows = 9000
	text := header + "\n" + strings.Repeat(good, rows/3)
	s, err := Load("common-csv")
	require.NoError(b, err)
	m, err := s.mapper(models.CountiesOf([]*models.County{{ID: 59, Slug: "clarke", Name: "Clarke"}}))
	require.NoError(b, err)
	n := 0
	to := sink{roster: func(*snapshot.RosterRow) error { n++; return nil }, rejected: func(*mapping.Rejected) error { return io.ErrUnexpectedEOF }}
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, s.rows(m, strings.NewReader(text), time.Now(), &decode.Facts{}, to))
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}
