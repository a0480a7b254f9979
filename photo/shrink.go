package photo

import (
	"image"
	"image/draw"
)

// shrink returns a picture in w by h pixels, of which the original has no fewer. Each pixel is the mean of the area that
// it covers, in whole numbers: so every machine makes the same picture. What is transparent is white. Beside the result it
// holds one row of the original, whatever size that has.
func shrink(from image.Image, w, h int) *image.RGBA {
	b := from.Bounds()
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == b.Dx() && h == b.Dy() {
		draw.Draw(to, to.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(to, to.Rect, from, b.Min, draw.Over)
		return to
	}
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	across, sums := make([]int64, 3*w), make([]int64, 3*w)
	area := int64(b.Dx()) * int64(b.Dy())
	// A row of the original is h high and one of the result b.Dy(): left is what the current one of the result lacks.
	line, left := 0, b.Dy()
	for y := range b.Dy() {
		draw.Draw(row, row.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(row, row.Rect, from, image.Pt(b.Min.X, b.Min.Y+y), draw.Over)
		shrinkRow(across, row.Pix, w)
		for high := h; high > 0; {
			part := min(high, left)
			for i, v := range across {
				sums[i] += int64(part) * v
			}
			high, left = high-part, left-part
			if left == 0 {
				mean(to.Pix[line*to.Stride:], sums, area)
				line, left = line+1, b.Dy()
			}
		}
	}
	return to
}

// shrinkRow sums the red, green and blue of a row into w pixels, each times how much of it the pixel covers.
func shrinkRow(sums []int64, row []byte, w int) {
	clear(sums)
	// A pixel of the row is w wide and one of the result len(row)/4.
	width := len(row) / 4
	i, left := 0, width
	for ; len(row) >= 4; row = row[4:] {
		for wide := w; wide > 0; {
			part := min(wide, left)
			sums[i] += int64(part) * int64(row[0])
			sums[i+1] += int64(part) * int64(row[1])
			sums[i+2] += int64(part) * int64(row[2])
			if wide, left = wide-part, left-part; left == 0 {
				i, left = i+3, width
			}
		}
	}
}

// mean writes a row of the result, and clears its sums.
func mean(row []byte, sums []int64, area int64) {
	for i := 0; i < len(sums); i += 3 {
		for c := range 3 {
			row[i/3*4+c] = uint8((sums[i+c] + area/2) / area) //nolint:gosec // a mean of bytes is one
		}
		row[i/3*4+3] = 0xff
	}
	clear(sums)
}
