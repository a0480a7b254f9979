package match_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/internal/labelled"
)

func TestLinkExplore(t *testing.T) {
	g, err := labelled.New("tables", 5, labelled.Whole)
	require.NoError(t, err)
	set := g.Linkage(60000, 200000)
	var recs []match.Record
	for _, r := range set.Records {
		recs = append(recs, match.Record{ID: r.ID, Name: match.Parse(r.Name), Born: match.ParseBirth(r.Born)})
	}
	t0 := time.Now()
	l := match.NewLinker(recs)
	t.Log("build", time.Since(t0))
	t0 = time.Now()
	var n, ok [4]int
	shown := 0
	for _, b := range set.Bookings {
		bk := match.Booking{Name: match.Parse(b.Name), Born: match.ParseBirth(b.Born)}
		k := l.Link(&bk, false)
		n[k.Confidence]++
		if k.Confidence == match.NoLink {
			continue
		}
		if set.Truth[b.ID] == k.RecordID {
			ok[k.Confidence]++
		} else if k.Confidence >= match.Medium && shown < 25 {
			shown++
			kk := l.Link(&bk, true)
			t.Logf("WRONG %v %v %v truth %q rec %v", k.Confidence, b, kk, set.Truth[b.ID], set.Records[atoi(k.RecordID[1:])])
		}
	}
	tot := float64(len(set.Truth))
	t.Logf("%.0f/s", float64(len(set.Bookings))/time.Since(t0).Seconds())
	t.Logf("high p %.5f r %.4f; high+medium p %.5f r %.4f; low p %.3f n %d", float64(ok[3])/float64(n[3]), float64(ok[3])/tot,
		float64(ok[3]+ok[2])/float64(n[3]+n[2]), float64(ok[3]+ok[2])/tot, float64(ok[1])/float64(n[1]), n[1])
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}
