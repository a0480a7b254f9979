// Package gallery has what the invented vendors show as photographs: drawings of nobody, the placeholder of a jail, and now
// and then something broken. It knows no world: a number says whose photograph it is.
package gallery

import (
	"encoding/base64"
	"sync"

	"rollcall/internal/portrait"
)

// Shown is what a vendor shows as the photograph of somebody.
type Shown int

// What vendors show.
const (
	// Nothing means that the vendor's row names no photograph.
	Nothing Shown = iota
	// Portrait is a photograph: a drawing of the person.
	Portrait
	// Again is another photograph of the same person.
	Again
	// Placeholder is the same picture for everybody of whom there is none.
	Placeholder
	// Page is a page for signing in where a picture should be.
	Page
	// Missing is named by the row, and is not there.
	Missing
)

// Of returns what a vendor shows of one of its people. Three in five have a portrait, one in ten the placeholder, and one in
// thirty something broken.
func Of(mark uint64) Shown {
	switch n := mark % 60; {
	case n < 36:
		return Portrait
	case n < 42:
		return Placeholder
	case n == 42:
		return Page
	case n == 43:
		return Missing
	}
	return Nothing
}

// page is what a portal answers whose session is over.
const page = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body>
<h1>Please sign in</h1>
<p>Your session is over. Photographs are shown to people who are signed in.</p>
<form method="post" action="/sign-in"><label>Name <input name="name"></label> <label>Password <input name="password" type="password"></label></form>
</body></html>
`

// File returns the file that is behind the address of a photograph, and whether there is one.
func (s Shown) File(person int) ([]byte, bool) {
	switch s {
	case Portrait:
		return portrait.Draw(uint64(person)), true //nolint:gosec // people are counted from 0
	case Again:
		return portrait.Again(uint64(person)), true //nolint:gosec // people are counted from 0
	case Placeholder:
		return portrait.Placeholder(), true
	case Page:
		return []byte(page), true
	case Nothing, Missing:
	}
	return nil, false
}

// mostDrawn bounds what an Album keeps, at 4 kB each.
const mostDrawn = 2000

// Album has small photographs for vendors who put them into their rows. It keeps what it drew, because rows are asked for every
// few seconds. The zero value is an empty one. It is safe for concurrent use.
type Album struct {
	mu    sync.Mutex
	drawn map[int]string
}

// Inline returns a photograph in base64, a portrait at half its size; empty for none.
func (a *Album) Inline(s Shown, person int) string {
	if s != Portrait {
		file, _ := s.File(person)
		return base64.StdEncoding.EncodeToString(file)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if text, ok := a.drawn[person]; ok {
		return text
	}
	if len(a.drawn) >= mostDrawn || a.drawn == nil {
		a.drawn = map[int]string{}
	}
	text := base64.StdEncoding.EncodeToString(portrait.Small(portrait.Draw(uint64(person)))) //nolint:gosec // people are counted from 0
	a.drawn[person] = text
	return text
}
