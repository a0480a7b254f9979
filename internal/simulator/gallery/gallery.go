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
const page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n"

// File returns the file that is behind the address of a photograph, and whether there is one.
func (s Shown) File(person int) ([]byte, bool) {
	switch s {
	case Portrait:
		return portrait.Draw(uint64(person)), true
	case Again:
		return portrait.Again(uint64(person)), true
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

// Inline returns a small photograph in base64; empty for none.
func (a *Album) Inline(s Shown, person int) string {
	switch s {
	case Portrait, Again:
	case Placeholder:
		person = -1 // the same for all
	case Page:
		return base64.StdEncoding.EncodeToString([]byte(page + page + page)) // too long for an address
	case Nothing, Missing:
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if text, ok := a.drawn[person]; ok {
		return text
	}
	if len(a.drawn) >= mostDrawn || a.drawn == nil {
		a.drawn = map[int]string{}
	}
	file, _ := s.File(person)
	text := base64.StdEncoding.EncodeToString(portrait.Small(file))
	a.drawn[person] = text
	return text
}
