package labelled

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed tables/*.txt
var ownTables embed.FS

// origins are where the names of a person may come from, beside the country as a whole.
var origins = []string{"spanish", "vietnamese", "arabic", "haitian", "westafrican", "korean"}

// names of one origin.
type originNames struct{ last, men, women, middle weighted }

// ownLines returns the fields of each line of a table of this package.
func ownLines(name string) ([][]string, error) {
	text, err := ownTables.ReadFile("tables/" + name)
	if err != nil {
		return nil, fmt.Errorf("read a name table: %w", err)
	}
	return fieldsOf(bytes.NewReader(text))
}

// loadOwn reads what the generator knows of names and the matcher does not: frequencies by decade and by origin, and
// lists of forms that nobody compared with the matcher's.
func (g *Generator) loadOwn() error {
	decades, err := ownLines("decades.txt")
	if err != nil {
		return err
	}
	for _, f := range decades {
		g.either[f[0]] = true
		for i := range bornShares {
			w := number(f[2+i])
			switch {
			case w == 0:
			case f[1] == "f":
				g.women[i].add(f[0], w)
			default:
				g.men[i].add(f[0], w)
			}
		}
	}
	byOrigin, err := ownLines("origins.txt")
	if err != nil {
		return err
	}
	for _, f := range byOrigin {
		o := g.from[f[0]]
		if o == nil {
			o = &originNames{}
			g.from[f[0]] = o
		}
		list := map[string]*weighted{"last": &o.last, "men": &o.men, "women": &o.women, "middle": &o.middle}[f[1]]
		for i, entry := range f[2:] {
			name, share, ok := strings.Cut(entry, ":")
			weight := 30 / float64(i+8) // Zipf's law, flattened at the top
			if ok {
				weight = number(share)
			}
			list.add(name, weight)
		}
	}
	return g.loadOtherForms()
}

// loadOtherForms reads the lists of nicknames and spellings that the matcher has not.
func (g *Generator) loadOtherForms() error {
	nicks, err := ownLines("nicknames_other.txt")
	if err != nil {
		return err
	}
	for _, f := range nicks {
		formal := strings.TrimSuffix(f[0], ":")
		g.otherNick[formal] = f[1:]
		for _, short := range f[1:] {
			g.formal[short] = append(g.formal[short], formal)
		}
	}
	for name, into := range map[string][2]map[string][]string{"spelled_other.txt": {g.otherSpelled, g.spelled}, "sounds_other.txt": {g.otherSounds, g.sounds}} {
		sets, err := ownLines(name)
		if err != nil {
			return err
		}
		link(sets, into[0])
		link(sets, into[1]) // who is called so is a namesake whichever list says it
	}
	return nil
}

// number reads a weight of a table; what is none counts as one.
func number(s string) float64 {
	w, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 1
	}
	return w
}
