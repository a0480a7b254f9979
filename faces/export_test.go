package faces

// invented is the image of testdata/golden.cjs.
func invented(side int) tensor {
	t := zeros(side, side, 3)
	for y := range side {
		for x := range side {
			for c := range 3 {
				t.at(y, x)[c] = float32((x*x*3 + y*y*7 + x*y*5 + c*61) % 256)
			}
		}
	}
	return t
}

// Outputs returns what each network makes of the invented image.
func (v *Verifier) Outputs() (detector, landmarks, descriptor []float32) {
	return v.detector.run(invented(detectorSide)).v, v.pointer.run(invented(landmarksSide)), v.describer.run(invented(chipSide))
}
