// Package labelled invents labelled pairs of names: the same person written two ways, and
// different people who are easily taken for one another. It also invents whole sets for
// standing queries and for links. The accuracy that docs/matching.md states is measured on
// them.
//
// It is test material for the matcher and shares no code with it, so that a mistake in one
// does not hide in the other. People are drawn by the frequencies of the tables, and half
// of the surnames can be held out. The same seed gives the same people on every machine.
package labelled

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Pair is two names and whether they are one person's.
type Pair struct {
	// Class names what was done to the names; accuracy is reported by class.
	Class string
	// Watched and Seen are the two names as written; the order has no meaning to Compare.
	Watched, Seen string
	// Same is the label: the right answer.
	Same bool
}

// Half is the part of the surnames that a generator draws from, so that figures are taken
// on names that calibration never saw.
type Half int

// The halves of the surnames.
const (
	Whole Half = iota
	Training
	HeldOut
)

// Generator invents people. It is not safe for concurrent use, as its draws are one
// sequence.
type Generator struct {
	r *rand.Rand
	// Names by their weights in the tables.
	surnames weighted
	men      weighted
	// Given names that are hardly used as surnames.
	usual weighted
	women weighted
	// Every given name.
	either map[string]bool
	// Every surname that is heard now and then.
	family map[string]bool
	// Short forms of a formal name.
	nick map[string][]string
	// Formal names of a short form.
	formal map[string][]string
	// Names that are forms of a name, as far as they were asked for.
	reached map[string]map[string]bool
	// Spellings of a given name.
	spelled map[string][]string
	// Spellings of a surname.
	sounds map[string][]string
	// Known given names at distance one of a given name that are no forms of it.
	near map[string][]string
	// The same for surnames.
	nearLast map[string][]string
	// First names by surname that nobody else may have.
	taken map[string][]string
}

// weighted is names that are drawn by weight; cum holds the sums of weights up to each.
type weighted struct {
	names []string
	cum   []float64
}

// add appends a name with its weight.
func (w *weighted) add(name string, weight float64) {
	if n := len(w.cum); n > 0 {
		weight += w.cum[n-1]
	}
	w.names, w.cum = append(w.names, name), append(w.cum, weight)
}

// pick draws a name by weight.
func (g *Generator) pick(w *weighted) string {
	x := g.r.Float64() * w.cum[len(w.cum)-1]
	return w.names[min(sort.SearchFloat64s(w.cum, x), len(w.names)-1)]
}

// New reads the tables in dir and returns a generator for a seed. Weights are flattened a
// little (power 0.75), so that rare names are met as well.
func New(dir string, seed uint64, half Half) (*Generator, error) {
	g := &Generator{
		r: rand.New(rand.NewPCG(seed, 7)), either: map[string]bool{}, family: map[string]bool{},
		nick: map[string][]string{}, formal: map[string][]string{}, reached: map[string]map[string]bool{},
		spelled: map[string][]string{}, sounds: map[string][]string{},
		near: map[string][]string{}, nearLast: map[string][]string{},
	}
	err := g.load(dir, half)
	return g, err
}

// load reads the names. Given names beyond the 4,000 most frequent, and surnames of one or two
// letters, are left out.
func (g *Generator) load(dir string, half Half) error {
	surnames, err := lines(filepath.Join(dir, "surnames.txt"))
	if err != nil {
		return err
	}
	given, err := lines(filepath.Join(dir, "given.txt"))
	if err != nil {
		return err
	}
	for _, f := range surnames[:20_000] {
		g.family[f[0]] = true
	}
	for _, f := range surnames {
		if len(f[0]) > 2 && half.has(f[0]) {
			g.surnames.add(f[0], flat(f[1]))
		}
	}
	for _, f := range given[:4000] {
		g.either[f[0]] = true
		if f[2] != "f" {
			g.men.add(f[0], flat(f[1]))
			if len(g.usual.names) < 60 {
				g.usual.add(f[0], 1)
			}
		}
		if f[2] != "m" {
			g.women.add(f[0], flat(f[1]))
		}
	}
	if err := g.loadForms(dir); err != nil {
		return err
	}
	g.near = neighbours(given[:700], g.linked)
	g.nearLast = neighbours(surnames[:2500], func(a, b string) bool {
		return slices.Contains(g.sounds[a], b) || consonants(a) == consonants(b)
	})
	return nil
}

// loadForms reads which names are forms of one another.
func (g *Generator) loadForms(dir string) error {
	nicks, err := lines(filepath.Join(dir, "nicknames.txt"))
	if err != nil {
		return err
	}
	for _, f := range nicks {
		formal := strings.TrimSuffix(f[0], ":")
		g.nick[formal] = f[1:]
		for _, short := range f[1:] {
			g.formal[short] = append(g.formal[short], formal)
		}
	}
	for name, into := range map[string]map[string][]string{"variants.txt": g.spelled, "surname_variants.txt": g.sounds} {
		sets, err := lines(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		for _, set := range sets {
			for _, a := range set {
				for _, b := range set {
					if a != b {
						into[a] = append(into[a], b)
					}
				}
			}
		}
	}
	return nil
}

// linked reports whether two given names are forms of one name: they share a name among
// themselves, their spellings, their short forms and their formal names. Pairs of different
// people must not be linked, or the label would be wrong.
func (g *Generator) linked(a, b string) bool {
	reach := g.reach(a)
	for x := range g.reach(b) {
		if reach[x] {
			return true
		}
	}
	return false
}

// reach returns the names that a given name is a form of, in two steps.
func (g *Generator) reach(name string) map[string]bool {
	if r, ok := g.reached[name]; ok {
		return r
	}
	r := map[string]bool{name: true}
	for range 2 {
		for _, x := range slices.Collect(maps.Keys(r)) {
			for _, y := range slices.Concat(g.spelled[x], g.formal[x]) {
				r[y] = true
			}
		}
	}
	for _, y := range slices.Concat(g.nick[name], g.spelled[name]) {
		r[y] = true
	}
	g.reached[name] = r
	return r
}

// has reports whether a surname belongs to the half, by its hash.
func (h Half) has(name string) bool {
	sum := fnv.New32a()
	sum.Write([]byte(name))
	return h == Whole || (sum.Sum32()>>7&1 == 0) == (h == Training)
}

// flat returns a weight to the power of 0.75, about.
func flat(weight string) float64 {
	w, err := strconv.ParseFloat(weight, 64)
	if err != nil {
		return 1
	}
	x := 1.0
	for w > 1 { // w^0.75 without math: good enough for drawing
		x, w = x*1.682, w/2
	}
	return x
}

// lines returns the fields of each line of a table, comments left out.
func lines(path string) ([][]string, error) {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("read a name table: %w", err)
	}
	var out [][]string
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != "#" {
			out = append(out, fields)
		}
	}
	return out, nil
}

// consonants reduces a name to what most spellings of it share.
func consonants(s string) string {
	var out []byte
	for i := range len(s) {
		c := s[i]
		if strings.IndexByte("aeiouyhw", c) < 0 && (len(out) == 0 || out[len(out)-1] != c) {
			out = append(out, c)
		}
	}
	return strings.NewReplacer("z", "s", "ck", "k", "c", "k", "ph", "f", "sch", "s", "tz", "s", "ts", "s").Replace(string(out))
}

// neighbours returns, for each name, the names at edit distance one that are not forms of
// it. They are found by their one-letter deletes.
func neighbours(rows [][]string, linked func(a, b string) bool) map[string][]string {
	byDelete := map[string][]string{}
	for _, row := range rows {
		name := row[0]
		seen := map[string]bool{name: true}
		byDelete[name] = append(byDelete[name], name)
		for i := range len(name) {
			if d := name[:i] + name[i+1:]; !seen[d] {
				seen[d] = true
				byDelete[d] = append(byDelete[d], name)
			}
		}
	}
	out := map[string][]string{}
	for _, names := range byDelete {
		for _, a := range names {
			for _, b := range names {
				if a != b && len(a) > 3 && !slices.Contains(out[a], b) && !linked(a, b) {
					out[a] = append(out[a], b)
				}
			}
		}
	}
	for _, l := range out {
		slices.Sort(l)
	}
	return out
}
