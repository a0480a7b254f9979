// Package labelled invents labelled pairs of names: the same person written two ways, and
// different people who are easily taken for one another. It also invents whole sets for
// standing queries and for links. The accuracy that docs/matching.md states is measured on
// them.
//
// It is test material for the matcher and shares no code with it, so that a mistake in one
// does not hide in the other. People are drawn by public frequencies of their decade of birth and origin. Half of
// the surnames, of the error classes and of the lists of forms can be held out whole. The same seed gives the same people on every machine.
package labelled

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
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
	r    *rand.Rand
	half Half
	// Surnames by their weights in the tables.
	surnames weighted
	// Given names of men and women by decade of birth.
	men, women [len(bornShares)]weighted
	// Given names that are hardly used as surnames.
	usual weighted
	// Names by origin.
	from map[string]*originNames
	// Every given name.
	either map[string]bool
	// Every surname of the table, and those that are heard now and then.
	listed, heard map[string]bool
	// Short forms of a formal name, by the matcher's table and by another list.
	nick, otherNick map[string][]string
	// Formal names of a short form.
	formal map[string][]string
	// Names that are forms of a name, as far as they were asked for.
	reached map[string]map[string]bool
	// Spellings of a given name: all that are known, those of the matcher's table, those of another list.
	spelled, ownSpelled, otherSpelled map[string][]string
	// The same name in another language, whose short forms are others.
	equivalent map[string][]string
	// The same of surnames.
	sounds, ownSounds, otherSounds map[string][]string
	// Known given names at distance one of a given name that are no forms of it.
	near map[string][]string
	// The same for surnames.
	nearLast map[string][]string
	// People that were written since a class began.
	wrote []person
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

// New reads the matcher's tables in dir, and those of this package, and returns a generator for a seed.
func New(dir string, seed uint64, half Half) (*Generator, error) {
	forms := func() map[string][]string { return map[string][]string{} }
	g := &Generator{
		r: rand.New(rand.NewPCG(seed, 7)), half: half, from: map[string]*originNames{}, either: map[string]bool{},
		listed: map[string]bool{}, heard: map[string]bool{}, reached: map[string]map[string]bool{},
		nick: forms(), otherNick: forms(), formal: forms(), spelled: forms(), ownSpelled: forms(), otherSpelled: forms(), equivalent: forms(),
		sounds: forms(), ownSounds: forms(), otherSounds: forms(),
	}
	if err := g.loadOwn(); err != nil {
		return nil, err
	}
	err := g.load(dir, half)
	return g, err
}

// load reads the matcher's tables. Surnames of one or two letters are left out.
func (g *Generator) load(dir string, half Half) error {
	surnames, err := lines(filepath.Join(dir, "surnames.txt"))
	if err != nil {
		return err
	}
	given, err := lines(filepath.Join(dir, "given.txt"))
	if err != nil {
		return err
	}
	for i, f := range surnames {
		g.listed[f[0]] = true
		if i < 20_000 {
			g.heard[f[0]] = true
		}
		if len(f[0]) > 2 && half.has(f[0]) {
			g.surnames.add(f[0], number(f[1]))
		}
	}
	for _, f := range given {
		g.either[f[0]] = true
		if f[2] != "f" && len(g.usual.names) < 60 {
			g.usual.add(f[0], 1)
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
	for name, into := range map[string][2]map[string][]string{"variants.txt": {g.ownSpelled, g.spelled}, "surname_variants.txt": {g.ownSounds, g.sounds}} {
		sets, err := lines(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		link(sets, into[0])
		link(sets, into[1])
	}
	languages, err := lines(filepath.Join(dir, "equivalents.txt"))
	if err != nil {
		return err
	}
	link(languages, g.equivalent)
	link(languages, g.ownSpelled)
	return nil
}

// link notes each two names of a set as forms of one another.
func link(sets [][]string, into map[string][]string) {
	for _, set := range sets {
		for _, a := range set {
			for _, b := range set {
				if a != b && !slices.Contains(into[a], b) {
					into[a] = append(into[a], b)
				}
			}
		}
	}
}

// linked reports whether two given names are forms of one name: they share a name among
// themselves, their spellings, their short forms and their formal names, or are one name in two languages. Pairs of different
// people must not be linked, or the label would be wrong.
func (g *Generator) linked(a, b string) bool {
	if slices.Contains(g.equivalent[a], b) {
		return true
	}
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
	for _, y := range slices.Concat(g.nick[name], g.otherNick[name], g.spelled[name]) {
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

// lines returns the fields of each line of a table, comments left out.
func lines(path string) ([][]string, error) {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("read a name table: %w", err)
	}
	return fieldsOf(bytes.NewReader(text))
}

// fieldsOf returns the fields of each line, comments left out.
func fieldsOf(r io.Reader) ([][]string, error) {
	var out [][]string
	s := bufio.NewScanner(r)
	for s.Scan() {
		if fields := strings.Fields(s.Text()); len(fields) > 1 && fields[0] != "#" {
			out = append(out, fields)
		}
	}
	return out, s.Err()
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
