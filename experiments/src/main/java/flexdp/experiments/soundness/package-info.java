/** How often the shortcuts of the paper and its released code add too little noise. */
package flexdp.experiments.soundness;
