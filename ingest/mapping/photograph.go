package mapping

import (
	"rollcall/ingest/decode"
	"rollcall/ingest/document"
)

// Privacy is the `privacy` part of a source document.
type Privacy struct {
	// Why photographs of the source may be taken and shown: the statute or the agreement, in words. Without it, or with `none`,
	// none is taken.
	Photographs string `yaml:"photographs" absent:"none" example:"Agreement with the sheriff of 2 March 2026"`
	// How many days after a release the photograph of a booking is kept.
	PhotographDays int `yaml:"photograph_days" min:"0" max:"3650" default:"30" example:"7"`
}

// NoPhotographs is the word that says in a document what holds without it.
const NoPhotographs = "none"

// Taken reports whether photographs are taken.
func (p Privacy) Taken() bool { return p.Photographs != "" && p.Photographs != NoPhotographs }

// photographSays is what the field holds, for authors of source documents.
const photographSays = "The photograph: an address, the name of a file in the drop, or the picture itself in base64. It is taken only where `privacy.photographs` says why it may be."

// minBasis is the least length of a reason why photographs may be taken: a statute or an agreement is longer than a yes.
const minBasis = 12

// Check notes mistakes of what a document says of photographs, under path.
func (p Privacy) Check(kind string, fields Spec, path string, problems *document.Problems) {
	if !p.Taken() {
		return
	}
	at := document.At(path, "photographs")
	if len(p.Photographs) < minBasis {
		problems.Add(at, "%q is not a reason: name the statute or the agreement by which photographs may be taken and shown, or write none", p.Photographs)
	}
	if e := fields[primary[kind]]; e == nil || !hasField(e, "photograph") {
		problems.Add(at, "allows photographs, and no field names them: map fields.%s.photograph, or write none", primary[kind])
	}
}

// ReadPhotographs has rows name their photographs from now on. A run does not ask for it: they are brought after it.
func (m *Mapper) ReadPhotographs() { m.photographs = true }

// photograph returns what the row names as its photograph, however long; empty for none, and where nobody asks.
func (m *Mapper) photograph(entity string, rec decode.Fields) string {
	f := m.entities[entity].get("photograph")
	if !m.photographs || f == nil {
		return ""
	}
	for i := range f.ways {
		w := &f.ways[i]
		if !w.open(rec) {
			continue
		}
		if said := w.read(rec); said != "" {
			return said
		}
	}
	return ""
}
