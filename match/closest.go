package match

import (
	"slices"
	"strings"

	"rollcall/match/internal/token"
)

// How far a word of a name is from the word of a query that it holds: by where it stands in the name, and by how much
// of it the query has. Records are written last name first.
const (
	lastWhole = iota
	firstWhole
	firstBegins
	lastBegins
	_ // so that a whole middle name beside a whole last name is farther than the beginning of a last name and a first name
	middleWhole
	middleBegins
	inside
	// apart is farther than a query of mostQuery words can be.
	apart = inside*mostQuery + 1
)

// mostQuery is the largest number of words in a query that is ranked; models/db.NameWords allows no more.
const mostQuery = 8

// Distance returns how far a name is from a query whose words it holds ([Holds]); less is closer. name are the words of
// its [SearchKey], query those of [Words]. Each word of the query counts once, for the word of the name that makes the
// sum least: a whole last name before a whole first name, these before the beginning of one, such as an initial, and these
// before middle names. The order of the words in the query does not matter.
func Distance(name, query []string) int {
	if len(query) > mostQuery {
		return apart
	}
	// least is the smallest sum for each set of words of the query, by words of the name so far.
	var sums [1 << mostQuery]uint8
	least := sums[:1<<len(query)]
	for set := range least[1:] {
		least[set+1] = apart
	}
	last, first := placesOf(name)
	var steps [mostQuery]uint8
	for at, word := range name {
		for i, q := range query {
			steps[i] = wordDistance(word, q, at < last, at == first)
		}
		// From the largest set down, so that a word of the name serves one word of the query.
		for set, sum := range slices.Backward(least) {
			for i := range query {
				if with := &least[set|1<<i]; set>>i&1 == 0 {
					*with = min(*with, sum+steps[i])
				}
			}
		}
	}
	return int(least[len(least)-1])
}

// wordDistance returns how far a word of a name is from a word of a query; apart if it does not hold it.
func wordDistance(word, query string, last, first bool) uint8 {
	whole, begins := uint8(middleWhole), uint8(middleBegins)
	switch {
	case last:
		whole, begins = lastWhole, lastBegins
	case first:
		whole, begins = firstWhole, firstBegins
	}
	switch {
	case word == query:
		return whole
	case strings.HasPrefix(word, query):
		return begins
	case strings.Contains(word, query):
		return inside
	}
	return apart
}

// placesOf returns how many words at the beginning of a name are its last name, and which word is its first name. Words
// such as DE LA belong to the word that follows, and JR is no first name. The comma is not known: of GARCIA LOPEZ, MARIA
// the second last name counts as the first name.
func placesOf(name []string) (last, first int) {
	for last+1 < len(name) {
		if _, particle := token.Particles[name[last]]; !particle {
			break
		}
		last++
	}
	last++
	for first = last; first+1 < len(name) && token.Ignored(name[first]); first++ {
	}
	return last, first
}

// MostRanked is how many names a [Closest] ranks; those that are added later keep their order behind them. BenchmarkClosest
// prints what ranking so many costs.
const MostRanked = 20_000

// Closest ranks the names that answer a query by [Distance]. Of equally distant names those that are ahead come first,
// and then those that were added first.
type Closest struct {
	query []string
	// Distance, whether the name is behind, and its number: in this order, so that sorting the numbers ranks them.
	ranked []uint32
	added  int
}

// NewClosest returns a ranking for the words of a query.
func NewClosest(query []string) *Closest { return &Closest{query: query} }

// numberBits hold the number of a ranked name.
const numberBits = 16

// Add adds the words of a name.
func (c *Closest) Add(name []string, ahead bool) {
	if c.added < MostRanked {
		behind := uint32(1)
		if ahead {
			behind = 0
		}
		//nolint:gosec // both are small and not negative
		c.ranked = append(c.ranked, uint32(Distance(name, c.query))<<(numberBits+1)|behind<<numberBits|uint32(c.added))
	}
	c.added++
}

// Page returns the numbers of the names from rank offset on, at most limit; the first name that was added has number 0.
func (c *Closest) Page(offset, limit int) []int {
	slices.Sort(c.ranked)
	var page []int
	for i := offset; i < min(offset+limit, c.added); i++ {
		if i < len(c.ranked) {
			page = append(page, int(c.ranked[i]&(1<<numberBits-1)))
		} else {
			page = append(page, i)
		}
	}
	return page
}
