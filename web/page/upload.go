package page

import (
	"errors"
	"fmt"
	"mime"
	"net/http"

	"rollcall/models"
)

// MaxFile bounds a file, in bytes. MaxUpload bounds the body of a form, which may hold the file as compressed text. Readers know
// the first alone, so messages name it.
const (
	MaxFile   = 8 << 20
	MaxUpload = 12 << 20
)

// inMemory is how much of a file is held in memory before the rest goes to a temporary file.
const inMemory = 1 << 20

// Upload is Guard and Form for forms that carry a file. Only who is signed in may send so much.
func (s *Pages) Upload(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := s.Reader(r)
		switch {
		case s.cross.Check(r) != nil:
			s.fail(w, r, v, &models.Error{Code: models.CodeForbidden, Message: "this form was submitted from another site; open the page here and try again"})
			return
		case r.Method == http.MethodPost && v == nil:
			s.toSignIn(w, r)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxUpload)
		if r.Method == http.MethodPost {
			err := readUpload(r)
			if r.MultipartForm != nil {
				defer func() { _ = r.MultipartForm.RemoveAll() }() // the system removes what stays
			}
			if err != nil {
				s.fail(w, r, v, err)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// readUpload parses a form with a file. Its other values must be text.
func readUpload(r *http.Request) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "multipart/form-data" {
		return &models.Error{Code: models.CodeUnsupportedMedia, Message: "this form must be sent as multipart/form-data; nothing was done"}
	}
	err := r.ParseMultipartForm(inMemory) //nolint:gosec // Upload bounds the body
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &models.Error{Code: models.CodePayloadTooLarge, Message: fmt.Sprintf("the file is larger than %d MB; split it: nothing was done", MaxFile>>20)}
	}
	if err != nil {
		return &models.Error{Code: models.CodeInvalidRequest, Message: "the form cannot be read; go back and try again"}
	}
	for _, values := range r.Form {
		if !isText(values...) {
			return &models.Error{Code: models.CodeInvalidRequest, Message: "the form contains characters that are not text; go back and enter it again"}
		}
	}
	return nil
}
