package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// TestAnOperatorChangesADocumentOnAPage reads, checks, changes and restores the document of a source, without scripts.
func TestAnOperatorChangesADocumentOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, last_attempt, interval_seconds) values ('jail', 'Moss Hill jail', 'roster', true, now(), 60)`)
	require.NoError(t, err)
	const path, first, second = "/operator/sources/jail/document", "id: jail\ntitle: Moss Hill\n", "id: jail\ntitle: Moss Hill jail\n"
	require.Contains(t, text(t, w.get(path)), "there is no document of this source")
	b.documents.texts = map[string]string{"jail": first}
	found := func() string {
		return regexp.MustCompile(`name="found" value="([0-9a-f]{64})"`).FindStringSubmatch(text(t, w.get(path)))[1]
	}
	page := text(t, w.get(path))
	require.Contains(t, page, `<span id="L2">`)
	require.Contains(t, text(t, w.get("/operator/sources/jail")), `href="`+path+`"`)

	t.Log("a mistake is named by its line, and never saved")
	page = text(t, w.post(path, "do", "check", "found", found(), "text", "id: jail\r\nwrong\r\n"))
	require.Contains(t, page, `<a href="#draft" data-line="2">Line 2</a>: <code>fields.name</code>: it is wrong`)
	require.Contains(t, page, `<pre class="small" tabindex="0">wrong</pre>`, "and shown")
	resp := w.post(path, "do", "save", "found", found(), "text", "id: jail\nwrong\n")
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)
	require.Contains(t, text(t, resp), "The document has mistakes, so it was not saved")
	require.Equal(t, first, b.documents.texts["jail"])
	require.Contains(t, text(t, w.post(path, "do", "check", "found", found(), "text", second)), "No mistakes found.")
	require.Equal(t, first, b.documents.texts["jail"], "a check saves nothing")

	t.Log("what is saved has a history, and who had the old text open is told")
	old := found()
	require.Equal(t, path+"?done=document-saved", w.post(path, "do", "save", "found", old, "text", second).Header.Get("Location"))
	require.Equal(t, second, b.documents.texts["jail"])
	resp = w.post(path, "do", "save", "found", old, "text", "id: jail\n# mine\n")
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	page = text(t, resp)
	require.Contains(t, page, "The document was changed by ada@example.org on ")
	require.Contains(t, page, "<ins>+ # mine</ins>", "what it would change stands beside it")
	require.Contains(t, page, "# mine", "nothing of it is lost")
	page = text(t, w.get(path))
	versions := regexp.MustCompile(`\?version=(\d+)`).FindAllStringSubmatch(page, -1)
	require.Len(t, versions, 2)
	page = text(t, w.get(path+"?version="+versions[0][1]))
	require.Contains(t, page, `data-at="`+path+"?version="+versions[0][1]+`"`, "its address can be sent on")
	require.Contains(t, page, "<del>- title: Moss Hill</del>")
	require.Contains(t, page, "<ins>+ title: Moss Hill jail</ins>")
	require.Equal(t, http.StatusNotFound, w.get(path+"?version=99999").StatusCode)
	require.Equal(t, path+"?done=document-saved", w.post(path+"/restore", "version", versions[1][1], "found", found()).Header.Get("Location"))
	require.Equal(t, first, b.documents.texts["jail"])
	page = text(t, w.get(path+"?done=document-saved"))
	require.Len(t, regexp.MustCompile("· in use").FindAllString(page, -1), 1, "the newest of two that are alike")
	require.NotContains(t, page, "changed on the server")
	require.Contains(t, page, "Read now")
	require.NotContains(t, page, "Discard the held data")
	_, err = b.db.Pool.Exec(t.Context(), `update sources set held_since = now(), held_run = 1 where id = 'jail'`)
	require.NoError(t, err)
	require.Contains(t, text(t, w.get(path+"?done=document-saved")), `The source is <a href="/operator/sources/jail">on hold</a>. Discard the held data`)
	b.documents.texts["jail"] = "id: jail\n"
	page = text(t, w.get(path))
	require.NotContains(t, page, "· in use")
	require.Contains(t, page, "The document was changed on the server after the newest version.")
	trail := text(t, w.get("/settings/trail"))
	require.Contains(t, trail, "jail, version ")
	require.Contains(t, trail, "source document: save")
	require.Contains(t, trail, "source document: restore this version")

	t.Log("a credential is shown to nobody, and a directory that is not writable offers no form")
	b.documents.fixed = true
	require.Contains(t, text(t, w.get(path)), "The document is read-only here")
	b.documents.fixed = false
	b.documents.texts["jail"] = "id: jail\npassword: hunter22\n"
	page = text(t, w.get(path))
	require.NotContains(t, page, "hunter22")
	require.NotContains(t, page, "<textarea")
	require.Contains(t, page, "1 line may hold a credential and is hidden")
}

func TestAReasonInQuarantineLeadsToTheLineOfTheDocument(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `with s as (insert into sources (id, title, kind, enabled, last_attempt) values ('jail', 'Moss Hill jail', 'roster', true, now()) returning id),
 r as (insert into runs (source_id, state, started_at) select id, 'partial', now() from s returning id, source_id)
 insert into quarantine (run_id, source_id, line, field, reason, encrypted, at, last_at, expires_at)
 select id, source_id, n, f, 'is missing', 'x', now(), now(), now() + interval '1 day' from r, (values (1, 'name'), (2, 'custody')) v (n, f)`)
	require.NoError(t, err)
	b.documents.texts = map[string]string{"jail": "id: jail\nfields: {name: x}\n"}
	page := text(t, w.get("/operator/sources/jail/quarantine"))
	require.Contains(t, page, `<a href="/operator/sources/jail/document#L2"><code>name</code></a>: is missing`)
	require.Contains(t, page, `<code>custody</code>: is missing`)
}
