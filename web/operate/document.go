package operate

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/page"
	"rollcall/web/words"
)

// versionsShown is how many versions of a document its page lists, and mostDocument how many bytes one may have there.
const (
	versionsShown = 20
	mostDocument  = 100_000
)

// Documents reads and changes the documents of sources: YAML in the data directory, or shipped with the program.
type Documents interface {
	// Read returns the document in force; CodeNotFound: there is none.
	Read(ctx context.Context, id string) (*Document, error)
	// Check returns the mistakes of a text as the document of a source.
	Check(src *models.Source, text string) ([]DocumentMistake, error)
	// Save replaces the document in force, if it is still the one whose digest is found; else the error is CodeConflict.
	Save(ctx context.Context, id, actor, text, found string) error
	// Line returns the line on which a document says how a field is read; 0: it is not known.
	Line(text, field string) int
}

// Document is the document of a source.
type Document struct {
	Text string
	// Own means that it lies in the data directory; otherwise it is shipped with the program.
	Own bool
	// Writable means that a text can be saved in the data directory.
	Writable bool
	// Digest identifies the text, and Hidden are the lines that are not shown, because they seem to hold a credential.
	Digest string
	Hidden []int
}

// DocumentMistake is what is wrong with a document.
type DocumentMistake struct {
	// Line is counted from 1; 0: of none.
	Line int
	// Path is like transport.steps[1].method; empty: the whole document.
	Path, Says string
}

// Said returns what is wrong with a place of the document.
func (m DocumentMistake) Said() words.Text { return words.Said(m.Says) }

// Whole returns what is wrong with the document, for a sentence.
func (m DocumentMistake) Whole() *string { return &m.Says }

// documents routes the page of a source's document.
func (s Site) documents(r chi.Router) {
	r.Get("/operator/sources/{id}/document", s.Pages.Operator(s.documentPage))
	r.Post("/operator/sources/{id}/document", s.Pages.Operator(s.changeDocument))
	r.Post("/operator/sources/{id}/document/restore", s.Pages.Operator(s.restoreDocument))
}

// documentBody is what the page of a document shows.
type documentBody struct {
	*models.Source
	// Missing is why there is nothing to show; empty: there is a document.
	Missing string
	*Document
	// Draft is the text in the form, and Found the digest of the one that it was made of.
	Draft, Found string
	// Checked means that the text in the form was checked, and Mistakes are what was found.
	Checked  bool
	Mistakes []DocumentMistake
	// Editing unfolds the form.
	Editing bool
	// Versions are those that were saved on the page, the newest first.
	Versions []*source.Document
	// Version is one that is looked at, and Diff what it changed; nil: none is.
	Version *source.Document
	Diff    []diffLine
	// Late means that the document was changed while it was open in the form, and Beside what the text of the form would change of it.
	Late   bool
	Beside []diffLine
	// Saved means that the document has just been saved.
	Saved bool
	Now   time.Time
}

// InForce reports whether a version is the document in force. A text that was restored stands in several versions: the newest is it.
func (b *documentBody) InForce(d *source.Document) bool {
	for _, v := range b.Versions {
		if v.Digest == b.Digest {
			return v.ID == d.ID
		}
	}
	return false
}

// Outside reports whether the document was changed on the server after its last version was saved here.
func (b *documentBody) Outside() bool { return len(b.Versions) > 0 && b.Versions[0].Digest != b.Digest }

// Readable reports whether the page offers to read the source at once by what was saved.
func (b *documentBody) Readable() bool { return readable(b.Source) }

// HeldData returns the source, or the county of it, of which data is held that was read by an earlier document; nil: there is none.
func (b *documentBody) HeldData() *models.Source {
	for _, held := range b.Held() {
		if held.HeldRun != nil {
			return held
		}
	}
	return nil
}

// Line returns a line of the text in the form, by its number.
func (b *documentBody) Line(n int) string {
	if lines := strings.Split(b.Draft, "\n"); n > 0 && n <= len(lines) {
		return lines[n-1]
	}
	return ""
}

// documentLine is a line of a document as it is shown.
type documentLine struct {
	N    int
	Text string
	// Hidden means that the line seems to hold a credential.
	Hidden bool
}

// Lines returns the document line by line, without what seems to be a credential.
func (b *documentBody) Lines() []documentLine {
	var out []documentLine
	for i, text := range strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n") {
		l := documentLine{N: i + 1, Text: text, Hidden: slices.Contains(b.Hidden, i+1)}
		if l.Hidden {
			l.Text = ""
		}
		out = append(out, l)
	}
	return out
}

// Editable reports whether the page offers to change the document. One with a hidden line is changed on the server: what the form
// does not show would be lost.
func (b *documentBody) Editable() bool { return b.Missing == "" && b.Writable && len(b.Hidden) == 0 }

// documentPage shows a document, or one of its versions.
func (s Site) documentPage(v *page.Visit) error { return s.showDocument(v, documentBody{}, nil) }

// showDocument shows the page of a document; problem is why something was not done.
func (s Site) showDocument(v *page.Visit, b documentBody, problem error) error {
	ctx := v.R.Context()
	src, err := s.documented(v)
	if err != nil {
		return err
	}
	b.Source, b.Now = src, s.Now()
	switch b.Document, err = s.Documents.Read(ctx, src.ID); {
	case models.CodeOf(err) == models.CodeNotFound:
		b.Missing, b.Document = page.Said(err), &Document{}
	case err != nil:
		return err
	}
	if b.Found == "" {
		b.Found = b.Digest
	}
	if !b.Editing {
		b.Draft = b.Text
	}
	if b.Late && len(b.Hidden) == 0 {
		b.Beside = diffOf(b.Text, b.Draft)
	}
	at := "/operator/sources/" + src.ID + "/document"
	b.Saved = v.R.URL.Query().Get("done") == "document-saved"
	slices.SortStableFunc(b.Mistakes, func(x, y DocumentMistake) int { return x.Line - y.Line })
	if b.Versions, err = s.Store.Documents(ctx, src.ID, versionsShown); err != nil {
		return err
	}
	if asked := v.R.URL.Query().Get("version"); asked != "" {
		id, err := strconv.ParseInt(asked, 10, 64)
		if err != nil {
			return page.ErrNoPage
		}
		var before *source.Document
		if b.Version, before, err = s.Store.Document(ctx, src.ID, id); err != nil {
			return err
		}
		if before != nil {
			b.Diff = diffOf(before.Text, b.Version.Text)
		}
		at += "?version=" + asked
	}
	data := page.View{Title: words.T("Document of {1}", src.Title).In(s.Pages.Language(v.R)), Script: "settings", At: at, Body: &b}
	if problem != nil {
		data.Failed(problem)
		data.Status = page.StatusOf(models.CodeOf(problem))
	}
	return s.Pages.Page(v, "document", data)
}

// documented returns the source whose document the address names. That of a county is that of its source.
func (s Site) documented(v *page.Visit) (*models.Source, error) {
	id, _ := models.SplitScope(chi.URLParam(v.R, "id"))
	return s.source(v.R.Context(), id)
}

// changeDocument checks the text of the form, and saves it where the form asks for that and nothing is wrong with it.
func (s Site) changeDocument(v *page.Visit) error {
	form := v.R.PostFormValue
	b := documentBody{Draft: strings.ReplaceAll(form("text"), "\r\n", "\n"), Found: form("found"), Editing: true, Checked: true}
	src, err := s.documented(v)
	if err != nil {
		return err
	}
	if len(b.Draft) > mostDocument {
		return s.showDocument(v, b, models.Invalid("text", "the document is too long to be saved here; nothing was changed"))
	}
	if b.Mistakes, err = s.Documents.Check(src, b.Draft); err != nil {
		return err
	}
	if form("do") != "save" {
		return s.showDocument(v, b, nil)
	}
	if len(b.Mistakes) > 0 {
		return s.showDocument(v, b, models.Invalid("text", "the document has mistakes, so it was not saved"))
	}
	return s.saveDocument(v, src, b, "source document: save")
}

// restoreDocument makes an earlier version the document in force again, if nothing is wrong with it today.
func (s Site) restoreDocument(v *page.Visit) error {
	src, err := s.documented(v)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt("0"+v.R.PostFormValue("version"), 10, 64)
	if err != nil {
		return page.ErrNoPage
	}
	d, _, err := s.Store.Document(v.R.Context(), src.ID, id)
	if err != nil {
		return err
	}
	b := documentBody{Draft: d.Text, Found: v.R.PostFormValue("found"), Editing: true}
	if b.Mistakes, err = s.Documents.Check(src, b.Draft); err != nil {
		return err
	}
	if len(b.Mistakes) > 0 {
		b.Checked = true
		return s.showDocument(v, b, models.Invalid("text", "that version has mistakes by today's rules, so it was not restored"))
	}
	return s.saveDocument(v, src, b, "source document: restore this version")
}

// saveDocument saves the text of the form. The trail names the source and the version; the history of the document has the text.
func (s Site) saveDocument(v *page.Visit, src *models.Source, b documentBody, action string) error {
	err := s.Documents.Save(v.R.Context(), src.ID, v.User.Email, b.Draft, b.Found)
	if page.Mendable(err) {
		if models.CodeOf(err) == models.CodeConflict {
			b.Found, b.Late = "", true // the page shows what is there now: who saves again has seen it
		}
		return s.showDocument(v, b, err)
	}
	if err != nil {
		return err
	}
	saved, err := s.Store.Documents(v.R.Context(), src.ID, 1)
	if err != nil {
		return err
	}
	subject := src.ID
	if len(saved) > 0 {
		subject += ", version " + strconv.FormatInt(saved[0].ID, 10)
	}
	if err := s.Pages.Trail(v, action, subject); err != nil {
		return err
	}
	if src.RefusedAt == nil { // that it failed of late says nothing of the new document
		if err := s.Store.AskAgain(v.R.Context(), src.ID); err != nil {
			return err
		}
	}
	return page.Redirect(v.W, v.R, "/operator/sources/"+src.ID+"/document?done=document-saved")
}

// lineOf returns where a document says how a field is read, as the address of that line; empty: it is not known.
func (s Site) lineOf(ctx context.Context, id string) func(field string) string {
	id, _ = models.SplitScope(id)
	d, err := s.Documents.Read(ctx, id)
	return func(field string) string {
		if err != nil || field == "" {
			return ""
		}
		line := s.Documents.Line(d.Text, field)
		if line == 0 {
			return ""
		}
		return "/operator/sources/" + id + "/document#L" + strconv.Itoa(line)
	}
}
