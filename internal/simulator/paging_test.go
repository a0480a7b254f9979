package simulator

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// turn reads all pages of a feed as a collector would, with a wait between two of them, and gives the keys of all rows
// and the total that the first page declared (-1 where the shape declares none).
func turn(t *testing.T, b bundle, feed Feed, wait time.Duration) (keys []string, total int) {
	t.Helper()
	switch feed.Shape {
	case ShapeZuercher:
		for {
			answer := zuercherRows(t, b, len(keys))
			for _, row := range answer.Records {
				keys = append(keys, row.Name+row.CellBlock+row.ArrestDate+row.HoldReasons)
			}
			if total = answer.Count; len(answer.Records) == 0 || len(keys) >= total {
				return keys, total
			}
			b.clock.forward(wait)
		}
	case ShapeCitizen:
		for {
			var answer struct {
				Total   int
				Records []citizenInmate `json:"RecentArrests"`
			}
			text := b.fetch(t, "POST", feed.Path, fmt.Sprintf(`{"PagingOptions":{"Take":10,"Skip":%d}}`, len(keys)))
			require.NoError(t, json.Unmarshal([]byte(text), &answer))
			for _, row := range answer.Records {
				keys = append(keys, row.BookingNumber)
			}
			if total = answer.Total; len(answer.Records) == 0 || len(keys) >= total {
				return keys, total
			}
			b.clock.forward(wait)
		}
	case ShapeConnect:
		for page := 1; ; page++ {
			found := regexp.MustCompile(`data-booking="(\d+)"`).FindAllStringSubmatch(b.fetch(t, "POST", feed.Path, fmt.Sprintf("page=%d", page)), -1)
			if len(found) == 0 {
				return keys, -1
			}
			for _, match := range found {
				keys = append(keys, match[1])
			}
			b.clock.forward(wait)
		}
	case ShapeNewWorld, ShapeDocket:
		row, total := regexp.MustCompile(`inmates/(\d+)"`), -1
		if feed.Shape == ShapeDocket {
			row = regexp.MustCompile(`<tr><td>(\d{4}-\d+)`)
		}
		for next := feed.Path; next != ""; b.clock.forward(wait) {
			text := b.fetch(t, "GET", next, "")
			for _, match := range row.FindAllStringSubmatch(text, -1) {
				keys = append(keys, match[1])
			}
			if summary := between(text, " of ", "<"); summary != "" {
				_, err := fmt.Sscan(summary, &total)
				require.NoError(t, err)
			}
			next = regexp.MustCompile(`<a (?:class="Next" )?href="([^"]*(?:\?)[^"]*)"`).FindString(text)
			next = strings.ReplaceAll(between(next, `href="`, `"`), "&amp;", "&")
		}
		return keys, total
	}
	t.Fatalf("shape %s has no pages", feed.Shape)
	return nil, 0
}

// paged are jails with several pages in every shape that has pages.
func paged() []Roster {
	return []Roster{{"bartow", ShapeZuercher}, {"hall", ShapeCitizen}, {"lowndes", ShapeNewWorld}, {"lee", ShapeDocket}, {"cobb", ShapeConnect}}
}

func TestAReaderSeesOneSnapshotWhileTheWorldMoves(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 6, People: 4000, Pace: 500 * time.Millisecond, Rosters: paged()[:4]})
	for _, feed := range b.Feeds()[:4] {
		truth := map[string]bool{}
		for _, booking := range b.InCustody(feed.County) {
			truth[booking.Number] = true
		}
		keys, total := turn(t, b, feed, 2*time.Second)
		seen := map[string]bool{}
		for _, key := range keys {
			require.False(t, seen[key], "%s repeats %s", feed.ID, key)
			seen[key] = true
		}
		require.Greater(t, len(keys), 200, "%s has several pages", feed.ID)
		if total >= 0 {
			require.Len(t, keys, total, feed.ID)
			require.Len(t, keys, len(truth), feed.ID)
		}
	}
}

func TestShiftingPagesLoseAndRepeatRows(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 6, People: 4000, Pace: 100 * time.Millisecond, Rosters: paged()[1:2], Chaos: Chaos{"citizen/hall": {Shifting}}})
	keys, _ := turn(t, b, b.Feeds()[0], time.Second)
	seen := map[string]bool{}
	for _, key := range keys {
		seen[key] = true
	}
	require.Less(t, len(seen), len(keys))
}

func TestPagesPastTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 6, People: 4000, Still: true, Rosters: []Roster{{"bartow", ShapeZuercher}, {"cobb", ShapeConnect}, {"lowndes", ShapeConnect}}})
	require.Empty(t, zuercherRows(t, b, 100_000).Records)
	require.Equal(t, len(b.InCustody("bartow")), zuercherRows(t, b, 100_000).Count)
	require.Empty(t, b.fetch(t, "POST", "/connect/cobb/search", "page=999"))
	last := (len(adults(b.InCustody("lowndes"))) + connectCount - 1) / connectCount
	require.Equal(t, b.fetch(t, "POST", "/connect/lowndes/search", fmt.Sprintf("page=%d", last)), b.fetch(t, "POST", "/connect/lowndes/search", "page=999"))
}
